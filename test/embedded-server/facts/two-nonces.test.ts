import { localService, TO } from "../openzeppelin/local-service.ts";

const TWICE = [{ method: "WORKER", path: "submit", status: "two-nonces" as const, rate: 1 }];

test("15.9: a record that is sent with two nonces leaves one used on the chain without a record", async () => {
  const { ask, send, record, minedAt } = localService({ failures: TWICE });
  const id = await send();
  let seconds = 0;
  let first = await record(id, seconds);
  for (; first.status !== "sent"; first = await record(id, seconds)) seconds += 0.1;
  const second = await record(id, 60);
  expect([first.nonce, second.nonce, second.status]).toEqual([0, 1, "confirmed"]);
  expect(await minedAt(0)).toMatchObject({ hash: first.hash, to: TO, value: "0x1" });
  expect(await minedAt(1)).toMatchObject({ hash: second.hash, to: TO, value: "0x1" });
  expect((await ask("GET", "/relayers/local-1/transactions/by-nonce/0")).status).toBe(404);
  expect((await ask("GET", "/relayers/local-1/status")).data.nonce).toBe("2");
});
