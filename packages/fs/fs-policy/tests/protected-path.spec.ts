import { describe, expect, it } from 'vitest'
import { whyProtected } from '../src/protected-path.ts'

describe('a path needs a permission', () => {
  it.each(['/w/.git/hooks/pre-commit', '/w/.git/config', '/w/.GIT/Config', '/w/.g\u200cit/config', '/w/sub/.git/hooks/x/y', '/w/.git/modules/m/config', '/w/.git/config.worktree', '/w/.git', '/w/.git/info/attributes', '/w/.dsh/settings.yml', '/w/a/.dsh/x', '/w/.bashrc', '/w/home/.zshrc', '/w/.profile', '/w/.ssh/authorized_keys', '/w/.gitconfig', '/etc/passwd', '/wide/x', '/'])('%s', path => {
    expect(whyProtected(path, ['/w'])).toEqual(expect.any(String))
  })

  it.each(['/w/a.ts', '/w', '/w/..a/b', '/w/.gitignore', '/w/.github/workflows/ci.yml', '/w/dsh/x', '/w/src/config', '/w/hooks/x', '/w/.git/COMMIT_EDITMSG', '/extra/x'])('%s does not', path => {
    expect(whyProtected(path, ['/w', '/extra'])).toBeUndefined()
  })
})
