import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { exitedSaying } from "../helpers/exited.ts";
import { bash } from "./relayctl.ts";
import { serve } from "./services/served.ts";

test("prints shell variables in two lines, logs each request, and exits with 0 after Ctrl-C", async () => {
  const served = await serve();
  const { exitCode, stdout } = await bash(`${served.printed} relayctl relayers list -o name`);
  expect([exitCode, stdout.split("\n").length]).toEqual([0, 9]);
  await exitedSaying(0, served.interrupt(), /GET +\/api\/v1\/relayers\?page=1&per_page=1000 +200 /);
});

test("rejects a missing token and a foreign origin after the headers, and closes the connection", async () => {
  const { env } = await serve();
  const port = Number(new URL(env.RELAYCTL_SERVER).port);
  const statusOf = async (...lines: string[]) => {
    const socket = connect(port, "127.0.0.1");
    socket.write(
      ["POST /api/v1/notifications HTTP/1.1", "Host: localhost", "Content-Length: 9", ...lines, "\r\n"].join("\r\n"),
    );
    return (await text(socket)).slice(0, 12);
  };
  expect(await statusOf()).toBe("HTTP/1.1 401");
  const token = `Authorization: Bearer ${env.RELAYCTL_TOKEN}`;
  expect(await statusOf(token, "Origin: https://evil.example.org")).toBe("HTTP/1.1 403");
});
