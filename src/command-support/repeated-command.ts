import { maskRpcUrl } from "../contract/rpc-url.ts";
import { shellVariable } from "./request-body/body-placeholders.ts";
import type { Shell } from "./shell/shell-of.ts";
import { spelled } from "./shell/spelled.ts";
import { shellWord } from "./shell-words.ts";

/**
 * The command that was typed with flags added, to be pasted into a shell; a flag that is added replaces its earlier
 * self. A URL that holds a secret is left to a shell variable, as in a dry run.
 * @param shell the user's; a word that cannot be typed there is written for bash
 */
export function repeatedCommand(argv: readonly string[], added: readonly string[], shell: Shell = "bash"): string {
  const write = (word: string) => spelled(word, shell) ?? shellWord(word);
  const kept = without(argv, added[0]);
  const end = kept.indexOf("--");
  const at = end < 0 ? kept.length : end;
  return ["relayctl", ...words(kept.slice(0, at), write), ...added.map(write), ...kept.slice(at).map(write)].join(" ");
}

/** A command line without its `--yes` and `--confirm`: whoever pastes it is asked again. */
export function withoutConsent(argv: readonly string[]): string[] {
  const end = argv.indexOf("--");
  const at = end < 0 ? argv.length : end;
  const flags = without(without(argv.slice(0, at), "--confirm"), "--yes").filter((word) => !/^-y+$/.test(word));
  // Short flags that take no value may stand together: -qy.
  const apart = flags.map((word) => (/^-[inqvy]{2,}$/.test(word) ? word.replaceAll("y", "") : word));
  return [...apart, ...argv.slice(at)];
}

function without(argv: readonly string[], flag: string | undefined): string[] {
  const isValue = (index: number) => flag === "--confirm" && argv[index - 1] === flag;
  return argv.filter((word, index) => word !== flag && !isValue(index) && !word.startsWith(`${flag}=`));
}

type Write = (word: string) => string;

function words(argv: readonly string[], write: Write): string[] {
  let urls = 0;
  return argv.map((word, index) => {
    const [, flag = argv[index - 1] ?? "", value = word] = /^(--[a-z-]+)=(.*)$/s.exec(word) ?? [];
    const before = value === word ? "" : `${flag}=`;
    if (flag === "--rpc-url") return before + rpcUrlWord(value, ++urls, write);
    if (/\/\/[^/?#]*@/.test(value))
      return `${before}"${shellVariable(flag.slice(2).replaceAll("-", "_").toUpperCase())}"`;
    return write(word);
  });
}

/** `--rpc-url URL[,weight=N]`: the provider's key is in the URL, the weight is not. */
function rpcUrlWord(value: string, number: number, write: Write): string {
  const [, url = value, weight = ""] = /^(.*?)(,weight=.*)$/s.exec(value) ?? [];
  return maskRpcUrl(url) === url ? write(value) : `"${shellVariable(`RPC_URL_${number}`)}"${weight && write(weight)}`;
}
