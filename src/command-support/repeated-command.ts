import { headerVariable, withHeaderValues } from "../config/token/header-words.ts";
import { maskRpcUrl } from "../contract/rpc-url.ts";
import { type Shell, shellSpelling, shellWord } from "../shell/shell-words.ts";
import { placeholderVariable } from "./request-body/body-placeholders.ts";

/** Returns text to paste into `shell`, or bash for words that it can't have. A URL with a secret becomes a variable. */
export function repeatedCommand(argv: readonly string[], added: readonly string[], shell: Shell = "bash"): string {
  const write = (word: string) => shellSpelling(word, shell) ?? shellWord(word);
  const kept = added[0] === undefined ? argv : withoutFlag(argv, added[0]);
  const end = kept.indexOf("--");
  const at = end < 0 ? kept.length : end;
  return [
    "relayctl",
    ...repeatedWords(kept.slice(0, at), write, shell),
    ...added.map(write),
    ...kept.slice(at).map(write),
  ].join(" ");
}

/** Removes `--yes` and `--confirm` from a command line: the pasted command prompts again. */
export function withoutConsent(argv: readonly string[]): string[] {
  const end = argv.indexOf("--");
  const at = end < 0 ? argv.length : end;
  const flags = withoutFlag(withoutFlag(argv.slice(0, at), "--confirm"), "--yes").filter((word) => !/^-y+$/.test(word));
  // Short flags without a value may be combined: -qy.
  const apart = flags.map((word) => (/^-[inqvy]{2,}$/.test(word) ? word.replaceAll("y", "") : word));
  return [...apart, ...argv.slice(at)];
}

export function withoutFlag(argv: readonly string[], flag: string, hasValue = flag === "--confirm"): string[] {
  const isValue = (index: number) => hasValue && argv[index - 1] === flag;
  return argv.filter((word, index) => word !== flag && !isValue(index) && !word.startsWith(`${flag}=`));
}

type Write = (word: string) => string;

function repeatedWords(argv: readonly string[], write: Write, shell: Shell): string[] {
  let urls = 0;
  const headerWord = (name: string) => {
    const variable = placeholderVariable(headerVariable(name), shell);
    return /^[\w-]*$/.test(name) ? `"${name}: ${variable}"` : `${write(`${name}: `)}"${variable}"`;
  };
  return withHeaderValues(argv, headerWord, (word, index) => {
    const [, flag = argv[index - 1] ?? "", value = word] = /^(--[a-z-]+)=(.*)$/s.exec(word) ?? [];
    const before = value === word ? "" : `${flag}=`;
    if (flag === "--rpc-url")
      return before + rpcUrlWord(value, `"${placeholderVariable(`RPC_URL_${++urls}`, shell)}"`, write);
    if (!/\/\/[^/?#]*@/.test(value)) return write(word);
    const [, name = "url"] = /^--([a-z-]+)$/.exec(flag) ?? [];
    return `${before}"${placeholderVariable(name.replaceAll("-", "_").toUpperCase(), shell)}"`;
  });
}

/** Returns `--rpc-url URL[,weight=N]`: the provider's key is in the URL, not in the weight. */
function rpcUrlWord(value: string, variable: string, write: Write): string {
  const [, url = value, weight = ""] = /^(.*?)(,weight=.*)$/s.exec(value) ?? [];
  return maskRpcUrl(url) === url ? write(value) : variable + (weight && write(weight));
}
