import { describeBash } from '@deepseek-ai/dsh-bash/contract'
import { open } from './fixture.ts'

describeBash('LocalBash', async () => await open())
