import { refuseApproval } from "../../../src/commands/approve.ts";
import { countApprovals } from "../../../src/proposals/approvers.ts";
import { type Proposal, proposalUseText } from "../../../src/proposals/proposal.ts";
import { DEEP } from "../../helpers/deep.ts";
import { signerLine } from "../../helpers/fake-ssh-keygen.ts";

const PEOPLE = ["ada", "bob", "carol"];
const PROPOSAL = {
  ...{ user: "ada", host: "console", command: "relayctl tx send", method: "POST" },
  ...{ time: "2026-01-01T00:00:00Z", expires: "2026-01-01T00:10:00Z" },
} as Proposal;
const [MADE, OVER] = [Date.parse("2026-01-01T00:01:00Z"), Date.parse("2026-01-01T00:10:00Z")];

/** What decides, as the commands call it. A test leaves one out to show that the model would find it. */
const RULES = {
  isOver(used: string | undefined, now: number) {
    const use = used === undefined ? undefined : { time: "", user: "", approved: [] };
    return throws(() => refuseApproval(PROPOSAL, use, now));
  },
  signed: (signatures: readonly string[], needed: number) =>
    countApprovals({ needed, signers: PEOPLE.map((name) => signerLine(name)) }, signatures, PROPOSAL),
  use: (before: string | undefined) => proposalUseText(PROPOSAL, before, { time: "now", user: "ada", approved: [] }),
  isHere: (machine: string): boolean => machine === "ada",
};

function throws(act: () => void): boolean {
  try {
    act();
    return false;
  } catch {
    return true;
  }
}

/** A program that sends: where it runs, how far it is, and the signatures in the copy of the file that it has read. */
interface Sender {
  machine: string;
  step: "begin" | "check" | "use" | "send" | "ended";
  copy: readonly string[];
}

interface State {
  isExpired: boolean;
  /** Who has not signed yet, and the signatures in the file. */
  toSign: readonly string[];
  file: readonly string[];
  /** The text of the use, by machine. */
  used: Readonly<Record<string, string>>;
  senders: readonly Sender[];
  sent: readonly (readonly string[])[];
}

/** Two programs where the proposal was made, and one there and one elsewhere. */
const TWO = [
  ["ada", "ada"],
  ["ada", "bob"],
];

function begin(machines: readonly string[]): State {
  return {
    ...{ isExpired: false, toSign: PEOPLE, file: [], used: {}, sent: [] },
    senders: machines.map((machine) => ({ machine, step: "begin", copy: [] })),
  };
}

function advance(state: State, index: number, needed: number, rules: typeof RULES): State {
  const sender = state.senders[index];
  if (!sender) throw new Error("no sender");
  const { machine, step, copy } = sender;
  const next = (changed: Partial<Sender>, more: Partial<State> = {}): State => ({
    ...{ ...state, ...more },
    senders: state.senders.with(index, { ...sender, ...changed }),
  });
  const used = state.used[machine];
  if (step === "begin") return next({ step: "check", copy: state.file });
  if (step === "check") {
    const isOver = rules.isOver(used, state.isExpired ? OVER : MADE);
    const isEnough = rules.signed(copy, needed).length >= needed && rules.isHere(machine);
    return next({ step: isOver || !isEnough ? "ended" : "use" });
  }
  if (step === "send") return next({ step: "ended" }, { sent: [...state.sent, copy] });
  try {
    return next({ step: "send" }, { used: { ...state.used, [machine]: rules.use(used) } });
  } catch {
    return next({ step: "ended" });
  }
}

/** Returns every state that one step leads to: a signature, the time, a step of a program, or its end at any point. */
function nextStates(state: State, needed: number, rules: typeof RULES): State[] {
  return [
    ...(state.isExpired ? [] : [{ ...state, isExpired: true }]),
    ...state.toSign.map((name) => ({
      ...state,
      toSign: state.toSign.filter((each) => each !== name),
      file: [...state.file, name].sort(),
    })),
    ...state.senders.flatMap((sender, index) =>
      sender.step === "ended"
        ? []
        : [
            advance(state, index, needed, rules),
            { ...state, senders: state.senders.with(index, { ...sender, step: "ended" as const, copy: [] }) },
          ],
    ),
  ];
}

/** Tries every interleaving: a state that was tried is not tried again, but all ways from it count. */
function tryAll(
  needed: number,
  machines: readonly string[],
  rules = RULES,
): { ways: bigint; wrong: Set<string>; sentBy: Set<string> } {
  const known = new Map<string, bigint>();
  const wrong = new Set<string>();
  const sentBy = new Set<string>();
  const visit = (state: State): bigint => {
    const key = JSON.stringify(state);
    const found = known.get(key);
    if (found !== undefined) return found;
    if (state.sent.length > 1) wrong.add("sent twice");
    for (const copy of state.sent) {
      const others = copy.filter((name) => name !== "ada");
      if (others.length < needed) wrong.add("sent without its signatures");
      sentBy.add(others.join(" and "));
    }
    const following = nextStates(state, needed, rules);
    const ways = following.length === 0 ? 1n : following.map(visit).reduce((sum, each) => sum + each, 0n);
    known.set(key, ways);
    return ways;
  };
  return { ways: visit(begin(machines)), wrong, sentBy };
}

test.each([1, 2])(
  "in every interleaving of signing, sending, dying, expiring, and replaying, %i signatures send once at most",
  (needed) => {
    const all = DEEP ? [["ada", "ada", "bob"]] : TWO;
    for (const { ways, wrong, sentBy } of all.map((machines) => tryAll(needed, machines))) {
      expect([...wrong]).toEqual([]);
      expect(ways).toBeGreaterThan(DEEP ? 1_000_000n : 10_000n);
      expect([...sentBy].sort()).toEqual(needed === 1 ? ["bob", "bob and carol", "carol"] : ["bob and carol"]);
    }
  },
);

test("each rule is needed: without one of them, an interleaving sends twice, or without signatures", () => {
  const without: Record<string, [Partial<typeof RULES>, string]> = {
    once: [{ use: () => "used", isOver: () => false }, "sent twice"],
    "a place": [{ isHere: () => true }, "sent twice"],
    "an approver other than the proposer": [{ signed: (signatures) => [...signatures] }, "sent without its signatures"],
  };
  for (const [name, [rules, fault]] of Object.entries(without)) {
    const wrong = TWO.flatMap((machines) => [...tryAll(1, machines, { ...RULES, ...rules }).wrong]);
    expect([name, ...new Set(wrong)]).toEqual([name, fault]);
  }
});
