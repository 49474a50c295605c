import { type JsonValue, objectIn } from "../../contract/json.ts";
import { maskRpcUrl } from "../../contract/rpc-url.ts";
import type { WireReply } from "../../contract/wire.ts";
import { type Hide, isCutJsonReply, isHtmlReply, keepText, shownTextLine } from "./shown-text.ts";

type Received = Pick<WireReply, "status" | "headers"> & {
  text: string;
  json?: JsonValue;
  envelope?: object;
  hide?: Hide | undefined;
};

/** Matches a page or an address at which users sign in, or are turned away. */
const SIGN_IN =
  /log[-_ ]?(?:in|on)\b|sign(?:ing)?[-_ ]?(?:in|on)\b|\bsso\b|oauth|openid|oidc|saml|\bidp\b|authenti|authoriz|cloudflareaccess|cdn-cgi\/access|single sign/i;
const TURNED_AWAY = /password|access denied|forbidden|unauthori[sz]ed|credential|captcha|session (?:has )?expired/i;
const RETURNING = /[?&](?:rd|redirect_ur[il]|redirect|return_?to|returnurl|continue|relaystate)=/i;
/** The service's refusals without an envelope start with these words. */
const OWN_WORDS = /^Relayer (?:is )?(?:paused|disabled)/;

/** Returns a gateway's words; undefined if the service may have sent them (facts 1.2, 1.9). */
export function gatewayWords(reply: Received): string | undefined {
  const { status, envelope } = reply;
  if (envelope) return undefined;
  if (status >= 300 && status <= 399) return signInAddress(reply);
  if (status === 401 || status === 403 || status === 407) return refusalWords(reply);
  const isGatewayPage = isHtml(reply) && (status === 429 || (status <= 299 && isSignIn(reply.text)));
  return isGatewayPage ? gatewayTitle(reply) : undefined;
}

function refusalWords(reply: Received): string | undefined {
  const words = gatewayTitle(reply);
  return isCutJsonReply(reply) || OWN_WORDS.test(words) ? undefined : words;
}

function gatewayTitle(reply: Received): string {
  return (isHtml(reply) ? pageText(reply) : jsonText(reply)) || `HTTP ${reply.status}`;
}

/** How much of a page is searched for words, and for its title. */
const [LONGEST, LONGEST_HEAD] = [64 * 1024, 8 * 1024];

function isSignIn(text: string): boolean {
  const page = text.slice(0, LONGEST);
  return SIGN_IN.test(page) || TURNED_AWAY.test(page);
}

function isHtml({ text, json }: Received): boolean {
  return json === undefined && isHtmlReply(text);
}

function signInAddress(reply: Received): string | undefined {
  const { location = "" } = reply.headers;
  return SIGN_IN.test(location) || RETURNING.test(location) ? redirectWords(reply) : undefined;
}

/** Returns the address of a redirect without possible secrets. */
export function redirectWords({
  headers: { location },
  status,
  hide,
}: Pick<Received, "status" | "headers" | "hide">): string | undefined {
  if (status < 300 || status > 399 || status === 304 || location === undefined) return undefined;
  const address = location.replace(/[?#].*$/s, "");
  return `it redirects to ${shownTextLine(address.startsWith("/") ? address : maskRpcUrl(address), hide)}`;
}

function pageText({ text, hide = keepText }: Received): string {
  const page = hide(text).slice(0, LONGEST_HEAD);
  const found = [/<title[^>]*>([^<]*)/i, /<h1[^>]*>([^<]*)/i].flatMap((part) => part.exec(page)?.[1]?.trim() || []);
  const visible = page.replace(/<(script|style)\b[\s\S]*?(?:<\/\1>|$)/gi, " ").replace(/<[^>]*>/g, " ");
  return shownTextLine(found.length > 0 ? [...new Set(found)].join(": ") : visible);
}

function jsonText({ json, text, hide }: Received): string {
  const { message, Message, error, error_description: description } = objectIn(json);
  const words = [message, Message, description, error].find((each) => typeof each === "string" && each.trim() !== "");
  return shownTextLine(typeof words === "string" ? words : text, hide);
}
