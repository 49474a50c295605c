import { ClosedPipe } from "../../../src/terminal/streams/output.ts";
import { exited } from "../../helpers/exited.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";
import { listening, type Sender, update } from "./listening.ts";

const TWO = async ({ send }: Sender) => {
  await send(update("e1", { status: "submitted" }));
  await send(update("e2", { status: "confirmed" }, 1));
};

test("prints only what matches --where, by short forms and whole paths", async () => {
  expect((await listening("-o name --where status=confirmed", TWO)).stdout).toBe("e2\n");
  expect((await listening("-o name --where payload.status=submitted", TWO)).stdout).toBe("e1\n");
  const both = "-o name --where status=confirmed,submitted --where delivery.signature=unsigned --where relayer_id~eth";
  expect((await listening(both, TWO)).stdout).toBe("e1\ne2\n");
});

test.each([
  ["--where", "e2\n"],
  ["--expect", "e0\ne1\ne2\n"],
])("an event whose field is true or false does not match %s with a word", async (flag, printed) => {
  const ran = await listening(`-o name ${flag} status=confirmed`, async (sender) => {
    await sender.send(update("e0", { status: true }));
    await TWO(sender);
  });
  expect([ran.exitCode, ran.stdout, ran.statuses]).toEqual([0, printed, [200, 200, 200]]);
});

test("ends with 0 once each expectation was met, and prints what met them, filtered out or not", async () => {
  const ended: boolean[] = [];
  const ran = await listening(
    "-o name --where status=failed --expect status=submitted --expect status=confirmed,mined",
    async ({ send, receiver }) => {
      await send(update("e0", { status: "sent" }));
      await send(update("e1", { status: "submitted" }));
      ended.push(receiver.interrupt.aborted);
      await send(update("e2", { status: "confirmed" }, 1));
      ended.push(receiver.interrupt.aborted);
    },
  );
  expect([ran.exitCode, ran.stdout, ended]).toEqual([0, "e1\ne2\n", [false, true]]);
});

test("ends with 15 when the time runs out, and shows what is missing", async () => {
  const clock = steppedClock();
  const ran = await listening(
    "--expect status=confirmed --expect status=submitted --deadline 2m -o name",
    async ({ send, receiver }) => {
      await send(update("e1"));
      await clock.pass(119_999);
      expect(receiver.interrupt.aborted).toBe(false);
      await clock.pass(1);
      expect(receiver.interrupt.aborted).toBe(true);
    },
    { clock },
  );
  expect([ran.exitCode, ran.stdout]).toEqual([15, "e1\n"]);
  expect(ran.stderr).toContain("1 of 2 expected events were not received: status=confirmed\n");
});

test("ends with 0 at --deadline if nothing is expected", async () => {
  const clock = steppedClock();
  await exited(
    0,
    listening("--deadline 1m", () => clock.pass(60_000), { clock }),
  );
});

test("ends with 130 on Ctrl-C while an event is expected", () =>
  exited(
    130,
    listening("--expect status=confirmed", async ({ interrupt }) => interrupt()),
  ));

test("an event that is refused meets no expectation", () =>
  exited(15, listening("--signing-key-file new.key --expect status=confirmed", TWO)));

test("ends after --limit events, and prints no more than that", async () => {
  const ran = await listening("--limit 2 -o name --where status=confirmed", async ({ send, receiver }) => {
    for (const id of ["e1", "e2", "e3", "e4"]) {
      await send(update(id, { status: id === "e1" ? "sent" : "confirmed" }));
      expect(receiver.interrupt.aborted).toBe(id > "e2");
    }
  });
  expect([ran.exitCode, ran.stdout]).toEqual([0, "e2\ne3\n"]);
});

test.each([
  [0, "confirmed"],
  [15, "submitted"],
])("ends with %i although the reader of the events has left", async (code, status) => {
  const send = async ({ send }: Sender) => {
    await send(update("e1"));
    await send(update("e2", { status }));
  };
  await exited(code, listening("--expect status=confirmed", send, { stdoutFault: new ClosedPipe() }));
});
