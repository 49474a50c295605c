import { TOO_MANY_FILES } from "../../errors.ts";
import { type NetworkOptions, type TransportCause, TransportFailure } from "./transport.ts";

interface Facts {
  options: NetworkOptions;
  signal: AbortSignal;
  sent: boolean;
  status: number | undefined;
}

/** The error message for a service that sends a response before the request. */
export const SENT_BEFORE_REQUEST = "spoke first";

const MESSAGES: readonly string[] = ["bad response", SENT_BEFORE_REQUEST];

const CODES: readonly { pattern: RegExp; reason: TransportCause; words: string }[] = [
  { pattern: /^(?:ENOTFOUND|EAI_)/, reason: "dns", words: "the host name cannot be resolved" },
  { pattern: /^E[MN]FILE/, reason: "connect", words: TOO_MANY_FILES },
  { pattern: /^ECONNREFUSED/, reason: "connect", words: "connection refused" },
  {
    pattern: /^(?:EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EHOSTDOWN|ETIMEDOUT|UND_ERR_CONNECT)/,
    reason: "connect",
    words: "it cannot be reached",
  },
  { pattern: /^CERT_HAS_EXPIRED/, reason: "certificate", words: "its certificate has expired" },
  { pattern: /^CERT_NOT_YET_VALID/, reason: "certificate", words: "its certificate is not valid yet" },
  { pattern: /^ERR_TLS_CERT_ALTNAME/, reason: "certificate", words: "its certificate is for a different host" },
  {
    pattern: /^(?:CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO)/,
    reason: "certificate",
    words: "its certificate is not trusted (trust more certificates with caCertificates)",
  },
  {
    pattern: /^ERR_SSL_.*ALERT_(?:CERTIFICATE_REQUIRED|NO_CERTIFICATE)/,
    reason: "certificate",
    words: "it demands a client certificate (clientCertificate)",
  },
  {
    pattern: /^ERR_SSL_.*ALERT_(?:\w*CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)/,
    reason: "certificate",
    words: "it refuses the client certificate (clientCertificate)",
  },
  {
    pattern: /^ERR_SSL_.*ALERT_HANDSHAKE_FAILURE/,
    reason: "tls",
    words: "it refuses the TLS handshake, and may demand a client certificate (clientCertificate)",
  },
  { pattern: /^(?:EPROTO|ERR_SSL|ERR_TLS)/, reason: "tls", words: "it does not speak TLS as expected" },
  {
    pattern: /^(?:HPE_|HTTPParserError|bad response|UND_ERR_RES|UND_ERR_HEADERS_OVERFLOW)/,
    reason: "protocol",
    words: "it does not speak HTTP as expected",
  },
  {
    pattern: new RegExp(`^${SENT_BEFORE_REQUEST}`),
    reason: "protocol",
    words: "it sent a response before there was a request",
  },
];

/** The options in the words of failures, and the flags in their place. */
const FLAGS = [
  ["caCertificates", "--ca-file"],
  ["(clientCertificate)", "(--cert)"],
  ["(timeout, deadline)", "(--timeout, --deadline)"],
] as const;

export function transportFailure(error: unknown, facts: Facts): TransportFailure {
  if (error instanceof TransportFailure) return error;
  const { sent, status } = facts;
  const { reason, words: named } = facts.signal.aborted ? abortedReason(facts) : knownReason(error, facts);
  const words = facts.options.asFlags ? FLAGS.reduce((text, [name, flag]) => text.replace(name, flag), named) : named;
  const place =
    facts.options.proxy && !sent && reason !== "certificate"
      ? `the proxy ${hostIn(facts.options.proxy ?? "")}`
      : hostIn(facts.options.origin);
  return new TransportFailure(reason, `${place}: ${words}`, { sent, status, cause: error });
}

function abortedReason({ signal, options, sent }: Facts): { reason: TransportCause; words: string } {
  if (signal.reason !== "timeout")
    return { reason: "interrupted", words: "interrupted while waiting for the response" };
  const missing = options.proxy && !sent ? "no tunnel" : "no complete response";
  return { reason: "timeout", words: `${missing} in time (timeout, deadline)` };
}

function knownReason(error: unknown, { options, sent }: Facts): { reason: TransportCause; words: string } {
  const code = errorCode(error);
  const found = CODES.find(({ pattern }) => pattern.test(code));
  if (options.proxy && !sent && found?.reason !== "certificate") {
    return { reason: "proxy", words: found?.words ?? "it refused the tunnel" };
  }
  const alert = /_ALERT_(\w+)/.exec(code)?.[1]?.toLowerCase().replaceAll("_", " ");
  if (found) return alert ? { ...found, words: `${found.words}; TLS said: ${alert}` } : found;
  return sent
    ? { reason: "reset", words: "the connection was closed before the response was complete" }
    : { reason: "connect", words: "the connection was closed before anything was sent" };
}

function errorCode(error: unknown): string {
  for (let at: unknown = error; at instanceof Error; at = at instanceof AggregateError ? at.errors[0] : at.cause) {
    if (at.name === "HTTPParserError") return at.name;
    if (MESSAGES.includes(at.message)) return at.message;
    if ("code" in at && typeof at.code === "string" && at.code !== "UND_ERR_SOCKET") return at.code;
  }
  return "";
}

function hostIn(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "the proxy";
}
