import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { CANARY_TOKEN } from "../helpers/scan.ts";
import { listenInTest } from "../helpers/service/listen.ts";
import { inTerminal } from "./terminal/terminal.ts";

const ALL = 1010;
const PER_PAGE = 1000;
const PAUSED = 10;
/** The relayers that the service refuses to change, and the last relayer that it changes at once. */
const DISABLED = [21, 144, 220];
const LAST = PAUSED + 307;

const idOf = (number: number) => `relayer-${String(number).padStart(7, "0")}`;
const relayer = (number: number, paused: boolean) => ({ id: idOf(number), name: `Relayer ${number}`, paused });

/** A service of 1,010 relayers that holds the response to one change until it is released. */
async function holdingService() {
  let release = () => {};
  let arrive = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const answer = async ({ method, url = "" }: IncomingMessage, response: ServerResponse) => {
    const send = (status: number, body: object) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    if (method === "GET") {
      const page = Number(new URL(url, "http://service").searchParams.get("page") ?? 1);
      const from = (page - 1) * PER_PAGE;
      const data = Array.from({ length: Math.max(0, Math.min(PER_PAGE, ALL - from)) }, (_, index) =>
        relayer(from + index + 1, from + index < PAUSED),
      );
      return send(200, {
        success: true,
        data,
        pagination: { current_page: page, per_page: PER_PAGE, total_items: ALL },
      });
    }
    const number = Number(url.split("relayer-")[1]);
    if (number === LAST) {
      arrive();
      await held;
    }
    if (DISABLED.includes(number)) return send(400, { success: false, error: "Relayer is disabled" });
    send(200, { success: true, data: relayer(number, true) });
  };
  const server = createServer((request, response) => {
    request.resume().on("end", () => void answer(request, response));
  });
  const port = await listenInTest(server);
  return { env: { RELAYCTL_SERVER: `http://127.0.0.1:${port}`, RELAYCTL_TOKEN: CANARY_TOKEN }, arrived, release };
}

test("a pause of 1,000 relayers shows its progress, and ends with one summary after Ctrl-C", async () => {
  const { env, arrived, release } = await holdingService();
  const { exitCode, shown } = await inTerminal("relayctl relayers pause --all --concurrency 1 -o name > /dev/null", {
    env: { ...env, NO_COLOR: "1", RELAYCTL_JOURNAL: "journal" },
    typed: [
      { after: "? [y/N]", keys: "y\r" },
      // Between two writes, the signal would end the run without waiting for a response.
      { after: "303/1,000", act: (terminal) => void arrived.then(() => terminal.write("\u0003")) },
      // The signal could come after the response otherwise.
      { after: "interrupted while a write is in progress", act: release },
    ],
  });
  expect(exitCode).toBe(130);
  expect(shown).toContain("skipped: 10 of 1,010 relayers are already paused\n");
  expect(shown).toMatch(/Pause 1,000 relayers in \S+\?/);
  expect(shown).toMatch(/\S pausing {3}303\/1,000 {3}█{5}░{13} {3}[\d,.]+\/s {3}[\dhms ]+ left {3}3 failed/);
  const end = shown.slice(shown.lastIndexOf("Interrupted."));
  expect(shown.split("Interrupted.")).toHaveLength(2);
  expect(end.replaceAll(/[0-9a-f-]{36}|(?<=undo )[0-9a-f]{8}\b/g, "RUN").replace(/< \/.*\/retry/, "< …/retry")).toBe(
    [
      "Interrupted. 304 of 1,000 relayers paused, 3 failed, 693 not started.",
      `  3 failed: Relayer is disabled: ${DISABLED.map(idOf).join(", ")}`,
      `  hint: relayctl relayers status ${idOf(21)}`,
      "  continue relayctl relayers pause - --yes < …/retry/RUN.ids",
      "  undo     relayctl undo RUN",
      "",
    ].join("\n"),
  );
});
