import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { BashRunResult } from '@deepseek-ai/dsh-bash'
import { eventually, isRunning, open, scratchDirectory } from './fixture.ts'

const program = fileURLToPath(new URL('run-on-main-thread.ts', import.meta.url))

function onMainThread(commands: string[], options: { exitAtOnce?: boolean; PATH?: string } = {}) {
  const root = scratchDirectory()
  const { PATH = process.env['PATH'], exitAtOnce } = options
  const argument = JSON.stringify({ config: { cwd: root, spill: { root } }, commands, exitAtOnce })
  const results = JSON.parse(execFileSync(process.execPath, ['--no-warnings', program, argument], { encoding: 'utf8', env: { ...process.env, PATH } })) as BashRunResult[]
  return { root, results, texts: results.map(({ stdout, stderr }) => [stdout.text, stderr.text]) }
}

describe('a command on the main thread', () => {
  it('has outputs that can be opened by name', () => {
    const { texts } = onMainThread(['echo first; echo named > /dev/stdout; echo both | tee /dev/stderr; echo last', 'echo again > /dev/stderr'])
    expect(texts).toEqual([['first\nnamed\nboth\nlast\n', 'both\n'], ['', 'again\n']])
  })

  it('uses the same few pipes for many commands, and new ones while a background process holds some', () => {
    const { root, texts } = onMainThread(['(sleep 1; echo late) & echo 0', ...Array.from({ length: 12 }, (_, i) => `echo ${i + 1}; ls $(dirname $(readlink /proc/self/fd/2)) | wc -l`)])
    expect(texts.map(([stdout]) => stdout)).toEqual(['0\n', ...Array.from({ length: 12 }, (_, i) => `${i + 1}\n8\n`)])
    expect(readdirSync(root)).toEqual([])
  })

  it('gets new pipes when somebody emptied the temporary directory', () => {
    const { texts } = onMainThread(['rm -rf "$(dirname "$(readlink /proc/self/fd/2)")"; echo gone', 'echo named > /dev/stdout'])
    expect(texts).toEqual([['gone\n', ''], ['named\n', '']])
  })

  it('loses nothing of a long output and keeps no file of it after the end', () => {
    const { root, results } = onMainThread(['seq 1 200000', 'seq 1 10'])
    expect(results.map(({ stdout }) => [stdout.totalBytes, stdout.text.endsWith('\n200000\n')])).toEqual([[1_288_895, true], [21, false]])
    expect(readdirSync(root)).toEqual([])
  })

  it('kills what is left when the process exits without unloading', async () => {
    const { results } = onMainThread(['sleep 300 & echo $!', 'setsid sleep 300 & echo $!; sleep 0.2'], { exitAtOnce: true })
    const pids = results.map(({ stdout }) => Number(stdout.text))
    expect(await eventually(() => pids.every(pid => !isRunning(pid)))).toBe(true)
  })

  it('still runs where the system has no mkfifo', () => {
    expect(onMainThread(['echo ok'], { PATH: '/nonexistent' }).texts).toEqual([['ok\n', '']])
  })
})

describe('a command', () => {
  it('has no controlling terminal and leads a session of its own', async () => {
    const { run } = await open()
    const { stdout, exitCode } = await run('cut -d" " -f5-7 /proc/$$/stat; echo $$; : < /dev/tty')
    const [group, session, tty, pid] = stdout.text.split(/\s/)
    expect([group, session, tty, exitCode]).toEqual([pid, pid, '0', 1])
  })

  it('does not see the secrets of the harness, and sees what the row adds', async () => {
    const { run } = await open({ env: { extra: { ROW_TOKEN: 'given' } } })
    process.env['DSH_TEST_API_KEY'] = 'sk-test-AAA'
    const { stdout } = await run('env; cat /proc/self/environ').finally(() => delete process.env['DSH_TEST_API_KEY'])
    expect(stdout.text).toContain('ROW_TOKEN=given')
    expect(stdout.text).not.toContain('sk-test-AAA')
  })

  it('reads no start-up file', async () => {
    const { run, directory } = await open()
    const rc = 'echo BANNER; alias ls="ls --color=always"; sleep 5; exit 1\n'
    execFileSync('sh', ['-c', 'cat > .bashrc; cp .bashrc .bash_profile; cp .bashrc .profile'], { cwd: directory, input: rc })
    // Some builds of bash read .bashrc for commands that come over ssh.
    const env = { HOME: directory, SSH_CLIENT: 'x', SSH2_CLIENT: 'x', SHLVL: '0', SHELL: '/usr/bin/fish' }
    process.env['BASH_ENV'] = `${directory}/.bashrc`
    const before = performance.now()
    const { stdout, stderr } = await run('echo ok', { env }).finally(() => delete process.env['BASH_ENV'])
    expect([stdout.text, stderr.text, performance.now() - before < 1_000]).toEqual(['ok\n', '', true])
  })

  it('writes UTF-8 whatever the locale of the host', async () => {
    const { run } = await open()
    const before = process.env['LC_ALL']
    process.env['LC_ALL'] = 'C'
    const { stdout } = await run("printf '%s\\n' é; locale charmap; python3 -c 'print(\"é\")'").finally(() => (before === undefined ? delete process.env['LC_ALL'] : (process.env['LC_ALL'] = before)))
    expect(stdout.text).toBe('é\nUTF-8\né\n')
  })

  it('fails where git wants an editor, and leaves the history alone', async () => {
    const { run, directory } = await open()
    const git = 'git -c user.name=t -c user.email=t@t'
    await run(`git init -q; for i in 1 2 3; do echo $i > f; git add f; ${git} commit -qm $i; done`)
    const before = readFileSync(`${directory}/.git/logs/HEAD`, 'utf8')
    const { exitCode } = await run(`${git} rebase -i HEAD~2`)
    expect(exitCode).not.toBe(0)
    expect((await run('git log --format=%s')).stdout.text).toBe('3\n2\n1\n')
    expect(readFileSync(`${directory}/.git/logs/HEAD`, 'utf8')).toBe(before)
  })

  it('fails at once where a program wants a terminal', async () => {
    const { run } = await open()
    const before = performance.now()
    const { stdout } = await run('python3 -c "open(\'/dev/tty\')" 2>/dev/null; echo $?; ssh-keygen -q -t ed25519 -N secret -f k; ssh-add k >/dev/null 2>&1; [ $? -ne 0 ] && echo refused', { timeoutMs: 10_000 })
    expect(stdout.text).toBe('1\nrefused\n')
    expect(performance.now() - before).toBeLessThan(5_000)
  })

  it('is refused by name when it is longer than the system takes', async () => {
    const { run } = await open()
    await expect(run(`: ${'x'.repeat(3_000_000)}`)).rejects.toMatchObject({ code: 'BASH_INVALID_COMMAND', message: expect.stringContaining('3000002 bytes') })
  })
})
