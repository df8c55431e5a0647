/**
 * Programs that only read, whatever their arguments: no option of theirs writes a file or runs a
 * program. `env` and `printenv` print the environment, which holds no secrets in child processes.
 */

const NAMES =
  // Shell builtins.
  ': true false echo cd pwd pushd popd dirs exit logout return break continue shift times type help ' +
  // Files and directories.
  'ls dir vdir cat head tail wc stat du df basename dirname realpath readlink which whereis ' +
  // Text.
  'cut tr nl tac rev comm cmp diff paste column colrm fold fmt expand unexpand join pr tsort look ' +
  'grep egrep fgrep ggrep jq strings od hexdump hd ' +
  // Sums.
  'cksum sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum md5 shasum ' +
  // Numbers and waiting.
  'seq sleep expr factor numfmt nproc ' +
  // The machine and its users.
  'uname whoami id groups users who w uptime free tty logname lsb_release locale getconf printenv sw_vers cal ' +
  'pgrep lscpu lsblk getent zcat bzcat xzcat yes'

/** Whether every use of the program only reads. */
export function isPlainRead(program: string): boolean {
  return PLAIN_READS.has(program)
}

const PLAIN_READS: ReadonlySet<string> = new Set(NAMES.split(' '))
