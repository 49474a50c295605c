import { isLocalHost } from "../../../config/connection/origin.ts";
import { isAuthorized } from "../../../contract/bearer.ts";
import type { ReceiverReply, RequestHead } from "../../../contract/webhook/receiver.ts";
import { RelayctlError } from "../../../errors.ts";
import { statusFailure } from "../../../relayer-state/read-status-routes.ts";
import type { Session } from "../../../session/session.ts";
import type { View } from "../../../terminal/view.ts";
import { METRICS_LIFETIME, SCRAPE_PATIENCE, SWEEP_TIMEOUT } from "../../../timing.ts";
import { PROM_TEXT, promText } from "../../../views/relayer-status/prom-text.ts";
import type { Measured } from "../../../views/relayer-status/table.ts";
import type { Call } from "../../command.ts";
import { createMonitor, type MonitorReads } from "./create-monitor.ts";
import type { Listener } from "./listener.ts";

const OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/** A scrape reads; if that takes too long, it gets the previous values, if not too old. */
export async function listenForScrapes(
  call: Call,
  session: Session,
  { ids, listener, ...reads }: { ids: readonly string[] | undefined; listener: Listener } & MonitorReads,
): Promise<View> {
  const { host, port, token, tls } = listener;
  const scrape = createScraper(call, session, ids, reads);
  await call.app.receive({
    port,
    host: host.replace(/^\[(.*)\]$/, "$1"),
    flag: "--listen",
    isPublic: false,
    tls,
    maxBytes: 0,
    maxHeld: 0,
    interrupt: call.app.interrupt,
    lost: () => {},
    refuse: (head) => scrapeRefusal(head, token),
    async respond({ headers: { accept = "" } }) {
      const isOpenMetrics = prefersOpenMetrics(accept);
      const text = promText(call.app.secrets.masked(await scrape()), { context: session.name, isOpenMetrics });
      return { status: 200, headers: { "content-type": isOpenMetrics ? OPEN_METRICS : PROM_TEXT }, text };
    },
    listening: async (found) => {
      const url = `${tls ? "https" : "http"}://${host}:${found}/metrics`;
      const whom = token === undefined ? "on this machine only" : "for scrapes with the token";
      await call.say(`metrics on ${url}, ${whom}; press Ctrl-C to stop`);
    },
  });
  return { kind: "nothing" };
}

/** Returns a function that returns the last measurement, unless it is too old. */
function createScraper(call: Call, session: Session, ids: readonly string[] | undefined, reads: MonitorReads) {
  const { clock } = call.app;
  let started = 0;
  // With thousands of relayers, a scrape gets the values of one long read, instead of gaps from a short one.
  const remaining = () => SWEEP_TIMEOUT - (clock.elapsed() - started);
  const measure = createMonitor(call, { ...session, remaining }, ids, reads);
  let latest: { measured: Measured | undefined; at: number } | undefined;
  let reading: Promise<void> | undefined;
  let noted: string | undefined;
  const read = async () => {
    started = clock.elapsed();
    try {
      latest = { measured: await measure(), at: clock.elapsed() };
      noted = undefined;
    } catch (error) {
      if (!(error instanceof RelayctlError)) throw error;
      latest = { measured: undefined, at: clock.elapsed() };
      if (error.failure !== "interrupted" && noted !== error.message) await call.say({ note: error.message });
      noted = error.message;
    } finally {
      reading = undefined;
    }
  };
  const known = () => (latest && clock.elapsed() - latest.at <= METRICS_LIFETIME ? latest.measured : undefined);
  return async () => {
    if (reading && latest) return known();
    reading ??= read();
    const done = new AbortController();
    await Promise.race([reading.finally(() => done.abort()), clock.sleep(SCRAPE_PATIENCE, done.signal)]);
    return known();
  };
}

const plainReply = (status: number, text: string, headers = {}): ReceiverReply => {
  return { status, headers: { "content-type": "text/plain", ...headers }, text };
};

/** Returns the response to anything but a scrape. Only `/healthz` needs no token, and reads nothing. */
function scrapeRefusal({ method, target, headers }: RequestHead, token: string | undefined): ReceiverReply | undefined {
  const [path] = target.split("?");
  if (path === "/healthz") return plainReply(200, "ok\n");
  if (token !== undefined && !isAuthorized(headers.authorization, token))
    return plainReply(401, "send the token of --listen-token-file\n", { "www-authenticate": "Bearer" });
  if (token === undefined && !isLocalHost(headers.host)) return plainReply(421, "use http://127.0.0.1\n");
  if (path !== "/metrics" && path !== "/") return plainReply(404, "see /metrics\n");
  return method === "GET" ? undefined : plainReply(405, "use GET\n");
}

/** Returns whether a client's formats, e.g. `text/plain;q=0.3`, prefer OpenMetrics at least as much as text. */
function prefersOpenMetrics(accept: string): boolean {
  const ranges = accept.toLowerCase().split(",");
  const liking = (type: string) => {
    const named = ranges.filter((range) => range.split(";")[0]?.trim() === type);
    return Math.max(0, ...named.map((range) => Number(/;\s*q=([^;\s]+)/.exec(range)?.[1] ?? 1)));
  };
  const best = liking("application/openmetrics-text");
  return best > 0 && best >= liking("text/plain");
}

/** Returns the metrics of the relayers, read once, e.g. for the textfile collector. */
export async function listenPromView(
  call: Call,
  session: Session,
  { ids, ...reads }: { ids: readonly string[] | undefined } & MonitorReads,
): Promise<View> {
  const { notes, ...measured } = await createMonitor(call, session, ids, reads)();
  for (const note of notes) await call.say(note);
  const failure = statusFailure(
    measured.relayers.map(({ id }) => id),
    measured.failures,
    call.app.interrupt,
  );
  return { kind: "text", text: promText(measured, { context: session.name }), failure };
}
