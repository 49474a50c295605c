import { readWebhookRecord } from "../../../src/webhooks/record.ts";
import { listening, signed, update } from "./listening.ts";

const FLAGS = "--record deliveries.ndjson --signing-key-file new.key -o name";

test("records every delivery with its raw bytes, whether it is accepted or not", async () => {
  const appended: [string, string][] = [];
  const body = '{ "id" : "e1" }';
  await listening(
    FLAGS,
    async ({ send }) => {
      await send(body, signed(body));
      await send(body, signed(body));
      await send("{", { "x-signature": "?" });
      await send(body, { origin: "https://evil.example.org" });
    },
    { appended },
  );
  const { deliveries } = readWebhookRecord(appended.map(([, text]) => text).join(""));
  expect(deliveries.map(({ accepted, body }) => [accepted, Buffer.from(body).toString()])).toEqual([
    [true, body],
    [true, body],
    [false, "{"],
  ]);
  expect(deliveries[0]).toMatchObject({
    receivedAt: "2026-11-21T03:12:07.000Z",
    path: "/hook",
    headers: { "content-type": "application/json", ...signed(body) },
  });
});

test("warns once if the disk is full, and keeps listening", async () => {
  const appended: [string, string][] = [];
  const ran = await listening(
    FLAGS,
    async ({ send }) => {
      for (const id of ["1", "2", "3", "4"]) await send(update(id), signed(update(id)));
    },
    { appended, room: 1_500 },
  );
  expect([ran.exitCode, ran.stdout, appended.length]).toEqual([0, "1\n2\n3\n4\n", 2]);
  expect(ran.stderr.match(/further deliveries are not recorded/g)).toHaveLength(1);
});

test("warns once if the record has reached its limit", async () => {
  const appended: [string, string][] = [["deliveries.ndjson", "x".repeat(100 * 2 ** 20 - 10)]];
  const ran = await listening(FLAGS, ({ send }) => send(update("1"), signed(update("1"))), { appended });
  expect(appended).toHaveLength(1);
  expect(ran.stderr).toContain("warning: deliveries.ndjson is full (100 MiB); further deliveries are not recorded\n");
});
