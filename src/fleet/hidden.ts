import { maskRpcUrl } from "../contract/rpc-url.ts";

/** A value that a file leaves out since the service does not return it, e.g. `${hidden:key}` (facts 4.4 and 6). */
const HIDDEN = /^\$\{hidden:([^{}]*)\}$/;

/** Returns what a text of a file says about the value that it leaves out: `key`, `https://host#1`; undefined for a value. */
export function hiddenIn(text: string): string | undefined {
  return HIDDEN.exec(text)?.[1];
}

/** Returns the text that stands for a value that is left out. @param what e.g. `key` */
export function hiddenText(what: string): string {
  return `\${hidden:${what}}`;
}

/** Returns `${hidden:https://host#1}`: the origin of an RPC URL, and its number among the URLs of a list with this origin. */
export function hiddenUrl(url: string, number: number): string {
  return hiddenText(`${originOf(url)}#${number}`);
}

/** Returns the origin of an RPC URL, also of one that the service masks. */
export function originOf(url: string): string {
  return maskRpcUrl(url).replace(/[/?#]\*{0,3}$/, "");
}
