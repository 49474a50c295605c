import type { Update } from "../../../src/embedded-server/state/state.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { createDeliveries } from "../../../src/embedded-server/webhooks/deliveries.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";
import { localService } from "../openzeppelin/local-service.ts";

test("16.9: deliveries follow sent, submitted, and confirmed", async () => {
  const { send, record, state } = localService();
  const updates: Update[] = [];
  state.outbox.push = (...more: Update[]) => updates.push(...more);
  const id = await send();
  for (let seconds = 0; seconds < 60; seconds++) await record(id, seconds);
  const statuses = updates.flatMap((update) => ("transaction" in update ? update.transaction.status : []));
  expect(statuses).toEqual(["sent", "submitted", "confirmed"]);
});

test("16.9: attempts come at about 0, 2.1, 8.5, 17, and 25 s, and no later one", async () => {
  const { state } = localService();
  state.notifications.put({ id: "hook", type: "webhook", url: "http://127.0.0.1:9/hook" });
  state.relayers.put({ ...state.relayers.get("local-1"), id: "local-1", notification_id: "hook" });
  const clock = steppedClock();
  const jitter = [0.05, 0.6, 0.0625, 0];
  const times: number[] = [];
  const deliveries = createDeliveries({
    store: memoryStore(state),
    clock,
    random: { uuid: () => "event", fraction: () => jitter.shift() ?? 0 },
    deliver: async () => {
      times.push(clock.elapsed());
      return 500;
    },
    interrupt: new AbortController().signal,
    shown: { transaction: (transaction) => transaction, relayer: (relayer) => relayer },
    delivered: async () => {},
  });
  deliveries.deliver([{ transaction: { id: "t1", relayer_id: "local-1", status: "sent" }, timestamp: 0 }]);
  await clock.pass(3_600_000);
  expect(times).toEqual([0, 2100, 8500, 17_000, 25_000]);
});
