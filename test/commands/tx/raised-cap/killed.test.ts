import type { Transport } from "../../../../src/client/transport/transport.ts";
import { DEEP } from "../../../helpers/deep.ts";
import { type MemoryJournal, memoryJournal } from "../../../helpers/memory/journal.ts";
import { type CappedStory, cappedRelayer, OLD } from "./capped-relayer.ts";

const BUMP = "tx bump evm-1 tx-1 --raise-cap --yes";
const RESTORE = "relayctl relayers update evm-1 --policy gas_price_cap=11500000000wei";

/** Every step takes half a minute. */
const STRIDE = DEEP ? 1 : 7;

/** Ends a process at one of its steps: from then on, nothing that it does takes effect. */
function createKill(at: number) {
  let steps = 0;
  let end = () => {};
  const ended = new Promise<"killed">((resolve) => {
    end = () => resolve("killed");
  });
  const step = async () => {
    steps++;
    if (at > steps) return;
    end();
    await new Promise<never>(() => {});
  };
  const around = async <T>(work: () => Promise<T>): Promise<T> => {
    await step();
    const value = await work();
    await step();
    return value;
  };
  return { ended, around, steps: () => steps };
}

/** A relayer and a journal that outlive the run that is killed. */
function createLife(at: number, story: CappedStory = {}) {
  const kept = memoryJournal();
  const { run, relayer, patches, service } = cappedRelayer(story, kept);
  const kill = createKill(at);
  const dying: Transport = (request, limits) => kill.around(() => service(request, limits));
  // A dead process holds no lock.
  const unlocked: MemoryJournal = { ...kept, exclusively: (_, work) => work() };
  const journal: MemoryJournal = { ...unlocked, append: (...args) => kill.around(() => kept.append(...args)) };
  return {
    relayer,
    patches,
    kept,
    steps: kill.steps,
    until: async (line: string) => await Promise.race([run(line, { service: dying, journal }), kill.ended]),
    run: (line: string) => run(line, { journal: unlocked }),
  };
}

/** How many steps a whole run takes: each request and each line of the journal, before and after. */
async function stepsOf(line: string): Promise<number> {
  const whole = createLife(Number.POSITIVE_INFINITY);
  expect(await whole.until(line)).toMatchObject({ exitCode: 0 });
  return whole.steps();
}

/** Whether the cap is as before, or what was printed says that it may not be, with a command that restores it. */
function isNamed(stderr: string, cap: bigint | null): boolean {
  const isSaid = /may have left gas_price_cap of evm-1 raised/.test(stderr) && /relayctl history settle/.test(stderr);
  return cap === OLD || isSaid || stderr.includes(RESTORE);
}

async function liveOn(at: number) {
  const { until, run, relayer } = createLife(at);
  expect(await until(BUMP), `step ${at}`).toBe("killed");
  const wasRaised = relayer.cap !== OLD;
  for (const line of wasRaised ? [BUMP, `${BUMP} --dry-run`] : [BUMP]) {
    const { exitCode, stderr } = await run(line);
    const isTrue = !wasRaised || exitCode === 6;
    expect([isTrue, isNamed(stderr, relayer.cap)], `step ${at}: ${stderr}`).toEqual([true, true]);
  }
  for (const line of ["tx bump evm-1 tx-1 --yes", "tx cancel evm-1 tx-1 --yes"]) {
    const { stderr } = await run(line);
    expect(isNamed(stderr, relayer.cap), `step ${at}: ${line}: ${stderr}`).toBe(true);
  }
  const { stderr } = await run("history settle");
  expect(stderr, `step ${at}`).not.toContain("still raised");
  expect(relayer.cap, `step ${at}: ${stderr}`).toBe(OLD);
  return { wasRaised, mayYet: stderr.includes("1 cap may yet be raised") };
}

test("after kill -9 at any step, no later command leaves the cap raised without a word, and settle says what is true", async () => {
  const steps = await stepsOf(BUMP);
  expect(steps).toBeGreaterThan(30);
  const lives = [];
  for (let at = 1; at <= steps; at += STRIDE) lives.push(await liveOn(at));
  expect(lives.filter(({ wasRaised }) => wasRaised).length).toBeGreaterThan(1);
  expect(lives.some(({ mayYet }) => mayYet)).toBe(true);
});

test("after kill -9 at any step with --keep-raised, the next commands and settle print what restores the cap, once raised", async () => {
  const line = `${BUMP} --keep-raised`;
  const steps = await stepsOf(line);
  const named = [];
  for (let at = 2; at <= steps; at += 2 * STRIDE - 1) {
    const { until, run, relayer, kept } = createLife(at);
    expect(await until(line), `step ${at}`).toBe("killed");
    const wasTold = kept.entries.some((entry) => entry.type === "outcome" && entry.isOver);
    const isOpen = kept.entries.some((entry) => entry.type === "intent" && entry.keeps !== undefined) && !wasTold;
    const wasRaised = relayer.cap !== OLD;
    const raised = relayer.cap;
    const settled = isOpen ? await run("history settle -o json") : undefined;
    expect(relayer.cap, "settle leaves it so").toBe(raised);
    if (settled && wasRaised) {
      expect(JSON.parse(settled.stdout)[0], `step ${at}`).toMatchObject({ restored: false, next: RESTORE });
      expect(JSON.parse(settled.stdout)[0].why).toContain("is still");
    }
    const life = createLife(at);
    await life.until(line);
    const { exitCode, stderr } = await life.run(line);
    expect([0, 6, 15], `step ${at}: ${stderr}`).toContain(exitCode);
    if (wasRaised && !wasTold) expect(stderr, `step ${at}`).toContain(RESTORE);
    named.push(wasRaised && stderr.includes("may have left gas_price_cap of evm-1 raised"));
  }
  expect(named).toContain(true);
});
