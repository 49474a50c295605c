import { type Hide, shownTextLine } from "../../client/attempt/shown-text.ts";
import { TransportFailure } from "../../client/transport/transport.ts";
import { deliverWebhook } from "../../client/webhook.ts";
import { repeatedCommand } from "../../command-support/repeated-command.ts";
import { placeholderVariable, requireEnv } from "../../command-support/request-body/body-placeholders.ts";
import { type CurlFlags, curlWayFlags } from "../../command-support/request-body/curl-way.ts";
import { boundsOf } from "../../config/bounds.ts";
import { readCertificates } from "../../config/connection/certificates.ts";
import { proxyFor, usesTls } from "../../config/connection/proxy.ts";
import { typedConnection } from "../../config/connection/typed-connection.ts";
import { parseNodeUrl } from "../../config/nodes.ts";
import { parsedSourcedFlag } from "../../config/sourced.ts";
import { credentialsOf, withoutUserInfo } from "../../contract/encoding/user-info.ts";
import { strictUtf8 } from "../../contract/encoding/utf8.ts";
import type { Problems } from "../../contract/problems.ts";
import type { WireReply } from "../../contract/wire.ts";
import { interruptedError, RelayctlError, usageError } from "../../errors.ts";
import { hideUrl } from "../../session/hide-secrets.ts";
import { type Shell, shellQuoted, userShell } from "../../shell/shell-words.ts";
import type { View } from "../../terminal/view.ts";
import type { Call } from "../command.ts";

export interface ShownDelivery {
  body: Uint8Array;
  headers: Readonly<Record<string, string>>;
}

/** Returns the view of deliveries in a dry run, unless a body isn't text. @throws RelayctlError usage */
export async function showTargetDeliveries(
  { app, common, say }: Pick<Call, "app" | "common" | "say">,
  target: DeliveryTarget,
  deliveries: readonly ShownDelivery[],
): Promise<View> {
  const { origin } = new URL(target.url);
  const texts = deliveries.map(({ body, headers }) => ({
    headers: shownHeaders(target, headers),
    text: utf8Body(body),
  }));
  const shell = userShell(app.env);
  const way = common.curl ? await curlWayFlags(target.way, { app, say }, shell) : undefined;
  const shownText = (each: Shown) => (way ? curlText(target, each, shell, way) : requestText(target, each));
  if (!common.curl) await say(`dry run: nothing was sent to ${origin}`);
  return { kind: "text", text: texts.map(shownText).join("\n") };
}

interface Shown {
  headers: readonly (readonly [name: string, value: string])[];
  text: string;
}

const CREDENTIALS = "RECEIVER_CREDENTIALS";

function shownHeaders({ url, shown }: DeliveryTarget, headers: ShownDelivery["headers"]): Shown["headers"] {
  const hasCredentials = new URL(url).href !== shown;
  const own = {
    ...DELIVERY_HEADERS,
    ...(hasCredentials && { authorization: `Basic ${placeholderVariable(CREDENTIALS)}` }),
  };
  return Object.entries({ ...own, ...headers });
}

function requestText({ shown }: DeliveryTarget, { headers, text }: Shown): string {
  const { pathname, search } = new URL(shown);
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  return `POST ${pathname}${search}\n${lines.join("\n")}\n\n${text}\n`;
}

function curlText({ shown }: DeliveryTarget, { headers, text }: Shown, shell: Shell, way: CurlFlags): string {
  const own = `authorization: Basic ${placeholderVariable(CREDENTIALS)}`;
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  // The shell only expands the variable, never the rest of a header.
  const expanded = `"authorization: Basic ${placeholderVariable(CREDENTIALS, shell)}"`;
  const flags = lines.map((line) => `-H ${line === own ? expanded : shellQuoted(line)}`);
  const variables = [...(lines.includes(own) ? [CREDENTIALS] : []), ...way.variables];
  const guard = shell === "fish" ? requireEnv(variables) : "";
  return `${[`${guard}curl -X POST ${shellQuoted(shown)}`, ...way.flags, ...flags, `--data-raw ${shellQuoted(text)}`].join(" \\\n  ")}\n`;
}

function utf8Body(body: Uint8Array): string {
  const text = strictUtf8(body);
  if (text === undefined) throw usageError([{ where: "--dry-run", rule: "cannot show a body that is not UTF-8" }]);
  return text;
}

export type DeliveryTarget = NonNullable<Awaited<ReturnType<typeof openWebhookTarget>>>;

export interface DeliveryResult {
  /** Absent if no response arrived. */
  status?: number;
  milliseconds: number;
  /** Why the service would retry, if it would. */
  problem?: string;
  isSent: boolean;
}

/** The headers of every delivery (facts 7.1). */
const DELIVERY_HEADERS = { "content-type": "application/json", accept: "*/*" } as const;

/** Uses no proxy of the context; plain HTTP is allowed, since no token is sent. @returns undefined after a problem */
export async function openWebhookTarget(
  { app, common, argv }: Pick<Call, "app" | "common" | "argv">,
  to: string | undefined,
  problems: Problems,
) {
  if (to === undefined) problems.add("--to", "is required: the URL of the receiver");
  const url = parsedSourcedFlag("--to", to, parseNodeUrl, problems.found);
  const { timeout, deadline } = boundsOf(common, app.env, []);
  const { proxy: typedProxy, caFile } = typedConnection(common, app.env, problems.found);
  if (url === undefined) return undefined;
  const { origin, username, password } = new URL(url);
  for (const part of [username, password]) app.secrets.add(decodeURIComponent(part));
  const credentials = credentialsOf(url);
  const proxy = proxyFor(origin, typedProxy, app.env, problems.found);
  if (proxy) hideUrl(app, proxy.value);
  const caFiles = caFile && usesTls(url, proxy?.value) ? [caFile] : [];
  const caCertificates = await problems.gather(() => readCertificates(caFiles, app.files));
  const options = { origin, caCertificates: caCertificates ?? [], ...(proxy && { proxy: proxy.value }) };
  const transport = app.network(options);
  const own = { ...DELIVERY_HEADERS, ...(credentials && { authorization: `Basic ${credentials}` }) };
  const { clock, interrupt } = app;
  const opened = clock.elapsed();
  const remaining = () => (deadline?.value ?? Number.POSITIVE_INFINITY) - (clock.elapsed() - opened);
  return {
    url,
    /** How the receiver is reached. */
    way: { server: { value: origin, from: "--to" }, ...(proxy && { proxy }), caFiles: caFile ? [caFile] : [], timeout },
    /** Returns the milliseconds that are left for the whole command. */
    remaining,
    notReached: ({ problem = "the receiver was not reached" }: DeliveryResult) =>
      new RelayctlError("network", problem, { hint: repeatedCommand(argv, ["--curl"]) }),
    /** The URL without user-info. */
    shown: withoutUserInfo(url),
    async post(body: string | Uint8Array, headers: ShownDelivery["headers"]): Promise<DeliveryResult> {
      const started = clock.elapsed();
      const since = () => Math.round(clock.elapsed() - started);
      const delivery = { url, headers: { ...own, ...headers }, body };
      try {
        const limits = { clock, interrupt, timeout: Math.min(timeout.value, Math.max(remaining(), 1)) };
        const reply = await deliverWebhook(delivery, await transport, limits);
        const problem = statusProblem(reply, app.secrets.redact);
        return { status: reply.status, milliseconds: since(), isSent: true, ...(problem && { problem }) };
      } catch (error) {
        if (!(error instanceof TransportFailure)) throw error;
        if (error.reason === "interrupted") throw interruptedError("", { cause: error });
        return { milliseconds: since(), isSent: error.sent, problem: error.message };
      }
    },
  };
}

function statusProblem({ status, headers: { location }, body }: WireReply, hide: Hide): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (location !== undefined && status >= 300 && status < 400) {
    const how = status === 307 || status === 308 ? "with the same request" : "with a GET, which has no body";
    return `the receiver responded ${status}, a redirect to ${withoutUserInfo(location)}: the service would follow it ${how}`;
  }
  const [line = ""] = new TextDecoder().decode(body.subarray(0, LONGEST_READ)).trim().split("\n");
  return `the receiver responded ${status}${line === "" ? "" : `: ${shownTextLine(line, hide)}`}`;
}

const LONGEST_READ = 64 * 1024;
