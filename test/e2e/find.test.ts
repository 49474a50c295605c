import { rawService, reply } from "./services/raw.ts";
import { openTerminal } from "./terminal/terminal-session.ts";

const ID = "0c5d9a44-7b1e-4f6a-8c02-5e9d3b7f1a60";

/** A service with many relayers, whose transactions are never returned. */
async function slowService() {
  let arrived = () => {};
  const searched = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const relayers = Array.from({ length: 100 }, (_, index) => ({ id: `r${index}`, network_type: "evm" }));
  const service = await rawService((request) => {
    const [, path = ""] = request.split(" ");
    if (path.includes("/transactions")) return void arrived();
    const data = path.startsWith("/api/v1/relayers") ? relayers : [];
    const pagination = { current_page: 1, per_page: 1000, total_items: data.length };
    return reply(200, JSON.stringify({ success: true, data, pagination }));
  });
  return { ...service, searched };
}

test("Ctrl-C ends a search in a slow service at once, with a clean screen", async () => {
  const { env, requests, searched } = await slowService();
  const session = openTerminal(`relayctl find ${ID}`, { env: { ...env, NO_COLOR: "1" } });
  await searched;
  await session.sees(/waiting for the service/);
  session.type("\u0003");
  expect(await session.ended).toMatchObject({ exitCode: 130 });
  const lines = session.screen.lines().filter((line) => line !== "");
  expect(lines.join("\n")).not.toContain("waiting");
  expect(lines.join("\n")).toMatch(/^Interrupted\./m);
  expect(requests.every((request) => request.startsWith("GET "))).toBe(true);
});
