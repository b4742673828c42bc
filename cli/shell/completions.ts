import type { Command, Option } from './command.ts';
import { globalOptions } from './context.ts';

/** Words that may follow a command's name, and values of options, from the table of commands. */
type Words = { byCommand: [string, string[]][]; choices: [string, string[]][]; files: string[] };

/** A script that completes `coin`, for `source <(coin completion bash)`. */
export function writeBashCompletion(commands: readonly Command[]): string {
  const { byCommand, choices, files } = listWords(commands);
  return `# Completions of coin for bash: source <(coin completion bash)
_coin() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command= word index words
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    case $word in
      ${valueOptions().join('|')}) ((index++)) ;;
      -*) break ;;
      *) command="$command\${command:+ }$word" ;;
    esac
  done
  case $before in
    ${files.join('|')}) COMPREPLY=($(compgen -f -- "$current")); return ;;
${choices.map(([option, values]) => `    ${option}) COMPREPLY=($(compgen -W '${values.join(' ')}' -- "$current")); return ;;`).join('\n')}
  esac
  case $command in
${byCommand.map(([name, words]) => `    '${name}'${name === '' ? '' : ` | '${name} '*`}) words='${words.join(' ')}' ;;`).join('\n')}
    *) words='' ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ \${#COMPREPLY[@]} -eq 0 && $current != -* ]] && COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _coin coin
`;
}

/** The same for zsh, as a file \`_coin\` in its \`fpath\` or for \`source <(coin completion zsh)\`. */
export function writeZshCompletion(commands: readonly Command[]): string {
  const { byCommand, choices, files } = listWords(commands);
  return `#compdef coin
# Completions of coin for zsh: source <(coin completion zsh)
_coin() {
  local before=\${words[CURRENT-1]} command= word
  local -i index
  local -a found
  for ((index = 2; index < CURRENT; index++)); do
    word=\${words[index]}
    case $word in
      ${valueOptions().join('|')}) ((index++)) ;;
      -*) break ;;
      *) command="$command\${command:+ }$word" ;;
    esac
  done
  case $before in
    ${files.join('|')}) _files; return ;;
${choices.map(([option, values]) => `    ${option}) compadd -- ${values.join(' ')}; return ;;`).join('\n')}
  esac
  case $command in
${byCommand.map(([name, words]) => `    '${name}'${name === '' ? '' : `|'${name} '*`}) found=(${words.join(' ')}) ;;`).join('\n')}
  esac
  compadd -a found
  [[ -n $command ]] && _files
}
compdef _coin coin
`;
}

function listWords(commands: readonly Command[]): Words {
  const shared = Object.keys(globalOptions).map((name) => `--${name}`);
  const first = [...new Set(commands.map(({ name }) => name.split(' ')[0]!))];
  const groups = first.filter((word) => commands.some(({ name }) => name.startsWith(`${word} `)));
  const own = (command: Command | undefined) =>
    command === undefined ? [] : Object.keys(command.options).map((name) => `--${name}`);
  const byCommand: [string, string[]][] = [
    ['', [...first, 'help', ...shared]],
    ['help', first],
    // The longer names first: a shell takes the first that fits.
    ...commands
      .filter(({ name }) => name.includes(' '))
      .map((command): [string, string[]] => [command.name, [...own(command), ...shared]]),
    ...groups.flatMap((word) => listThirdWords(commands, word)),
    ...first.map((word): [string, string[]] => {
      const command = commands.find(({ name }) => name === word);
      const seconds = groups.includes(word)
        ? [
            ...new Set(
              commands
                .filter(({ name }) => name.startsWith(`${word} `))
                .map(({ name }) => name.split(' ')[1]!),
            ),
          ]
        : [];
      return [word, [...seconds, ...own(command), ...shared]];
    }),
  ];
  const all = commands
    .flatMap(({ options }) => Object.entries(options))
    .concat(Object.entries(globalOptions));
  const named = (accept: (option: Option) => boolean) => [
    ...new Set(all.filter(([, option]) => accept(option)).map(([name]) => `--${name}`)),
  ];
  const choices = all.flatMap(([name, option]): [string, string[]][] =>
    option.choices === undefined ? [] : [[`--${name}`, [...option.choices]]],
  );
  return {
    byCommand,
    files: named(({ file }) => file === true),
    choices: [...new Map(choices)],
  };
}

/** The words behind two of a command of three. */
function listThirdWords(commands: readonly Command[], first: string): [string, string[]][] {
  const thirds = new Map<string, string[]>();
  for (const { name } of commands) {
    const [word, second, third] = name.split(' ');
    if (word !== first || third === undefined) continue;
    const pair = `${word} ${second}`;
    thirds.set(pair, [...(thirds.get(pair) ?? []), third]);
  }
  return [...thirds];
}

function valueOptions(): string[] {
  return Object.entries(globalOptions as Readonly<Record<string, Option>>)
    .filter(([, { value }]) => value !== undefined)
    .map(([name]) => `--${name}`);
}
