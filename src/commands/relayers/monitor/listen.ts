import type { SpendWindow } from "../../../audit/spend-windows.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Session } from "../../../session/session.ts";
import type { View } from "../../../terminal/view.ts";
import { SCRAPE_PATIENCE } from "../../../timing.ts";
import { promText } from "../../../views/relayer-status/prom-text.ts";
import type { Call } from "../../command.ts";
import { createMonitor } from "./create-monitor.ts";

const TYPE = "text/plain; version=0.0.4; charset=utf-8";

/**
 * Serves the metrics on loopback until Ctrl-C. A scrape reads them; while a read is in progress, or if it takes too
 * long, the values of the read before are served.
 */
export async function listenForScrapes(
  call: Call,
  session: Session,
  { ids, port, windows }: { ids: readonly string[] | undefined; port: number; windows: readonly SpendWindow[] },
): Promise<View> {
  const { clock } = call.app;
  const measure = createMonitor(call, session, ids, windows);
  let latest: string | undefined;
  let reading: Promise<void> | undefined;
  let noted: string | undefined;
  const read = async () => {
    try {
      const measured = await measure();
      latest = promText(measured, session.name);
      noted = undefined;
    } catch (error) {
      if (!(error instanceof RelayctlError)) throw error;
      latest = promText(undefined, session.name);
      if (error.failure !== "interrupted" && noted !== error.message) await call.say(`note: ${error.message}`);
      noted = error.message;
    } finally {
      reading = undefined;
    }
  };
  const scrape = async () => {
    if (reading && latest !== undefined) return latest;
    reading ??= read();
    const done = new AbortController();
    await Promise.race([reading.finally(() => done.abort()), clock.sleep(SCRAPE_PATIENCE, done.signal)]);
    return latest ?? promText(undefined, session.name);
  };
  await call.app.listen({
    port,
    flag: "--listen",
    async respond({ method, target }) {
      if (!/^\/(?:metrics)?(?:\?|$)/.test(target)) return { status: 404, type: "text/plain", text: "see /metrics\n" };
      if (method !== "GET") return { status: 405, type: "text/plain", text: "use GET\n" };
      return { status: 200, type: TYPE, text: await scrape() };
    },
    listening: async (found) =>
      await call.say(`metrics on http://127.0.0.1:${found}/metrics, on this machine only; press Ctrl-C to stop`),
  });
  return { kind: "nothing" };
}
