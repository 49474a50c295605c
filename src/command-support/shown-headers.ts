import type { ResponseHead } from "../client/request.ts";
import { maskRpcUrl } from "../contract/rpc-url.ts";
import { escapeText } from "../terminal/escape.ts";

const SECRET = /auth(?!ority)|cookie|token|secret|key|signature|credential|password|session/;
const URL_TEXT = /\b[a-z][a-z0-9+.-]*:\/\/[^\s<>"',;]+/gi;

export function shownWithoutUrlPaths(text: string): string {
  return text.replace(URL_TEXT, maskRpcUrl);
}

export function shownHeaderLines(headers: ResponseHead["headers"]): string[] {
  return Object.entries(headers).map(([name, value]) => {
    const shown = SECRET.test(name.toLowerCase()) ? "***" : shownWithoutUrlPaths(value);
    return `${escapeText(name)}: ${escapeText(shown)}`;
  });
}

export function shownHeadText({ status, headers }: ResponseHead): string {
  return [`HTTP/1.1 ${status}`, ...shownHeaderLines(headers), "", ""].join("\n");
}
