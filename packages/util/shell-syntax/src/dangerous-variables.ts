/** Names the variables through which a harmless program runs something else. */

const NAMES: ReadonlySet<string> = new Set(
  (
    'PATH IFS ENV HOME OLDPWD CDPATH SHELL SHELLOPTS BASHOPTS BASH_ENV BASH_CMDS BASH_ALIASES BASH_LOADABLES_PATH ' +
    'PROMPT_COMMAND PS0 PS1 PS2 PS3 PS4 POSIXLY_CORRECT EXECIGNORE HISTFILE INPUTRC BASH_COMPAT TEXTDOMAIN TEXTDOMAINDIR ' +
    'PAGER MANPAGER EDITOR VISUAL BROWSER LESS LESSOPEN LESSCLOSE LESSEDIT ' +
    'PERL5OPT PERL5LIB PERL5DB RUBYOPT RUBYLIB CLASSPATH JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS ' +
    'RIPGREP_CONFIG_PATH GREP_OPTIONS MAGIC TAR_OPTIONS GZIP MAKEFLAGS GCONV_PATH LOCPATH NLSPATH TERMINFO OPENSSL_CONF ' +
    'SSH_ASKPASS SUDO_ASKPASS HTTP_PROXY HTTPS_PROXY ALL_PROXY http_proxy https_proxy all_proxy'
  ).split(' '),
)

const PREFIXES = ['LD_', 'DYLD_', 'GIT_', 'BASH_FUNC_', 'NODE_', 'PYTHON', 'XDG_', 'AWK', 'GLIBC_', 'MALLOC_', 'npm_config_', 'NPM_CONFIG_', 'RUSTC', 'CARGO_', 'GETCONF_']

/** Whether setting the variable can change what the commands after it run. */
export function isDangerousVariable(name: string): boolean {
  return NAMES.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix))
}
