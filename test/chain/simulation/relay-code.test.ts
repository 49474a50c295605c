import { Buffer } from "node:buffer";
import { RELAY_CODE } from "../../../src/contract/relay-code.ts";

interface InnerCall {
  target: string;
  value: bigint;
  data: string;
}

/** Runs code with the few instructions that the relay code has, and returns what it returns, as hex. */
function execute(
  code: string,
  { data, value }: { data: string; value: bigint },
  call: (inner: InnerCall) => { succeeded: boolean; returned: string },
): string {
  const [program, input, memory] = [Buffer.from(code, "hex"), Buffer.from(data, "hex"), Buffer.alloc(4096)];
  const stack: bigint[] = [];
  const pop = () => stack.pop() ?? 0n;
  const at = () => Number(pop());
  let returned: Buffer = Buffer.alloc(0);
  let position = 0;
  const copy = (from: Buffer) => {
    const [to, start, length] = [at(), at(), at()];
    from.copy(memory, to, start, start + length);
  };
  const instructions: Readonly<Record<number, () => void>> = {
    1: () => stack.push(pop() + pop()),
    3: () => stack.push(pop() - pop()),
    52: () => stack.push(value),
    53: () => stack.push(BigInt(`0x${input.subarray(at()).subarray(0, 32).toString("hex").padEnd(64, "0")}`)),
    54: () => stack.push(BigInt(input.length)),
    55: () => copy(input),
    61: () => stack.push(BigInt(returned.length)),
    62: () => copy(returned),
    82: () => {
      const to = at();
      memory.write(pop().toString(16).padStart(64, "0"), to, "hex");
    },
    90: () => stack.push(1_000_000n),
    96: () => stack.push(BigInt(program[position++] ?? 0)),
    128: () => stack.push(stack.at(-1) ?? 0n),
    145: () => {
      const [top, below] = [stack.at(-1) ?? 0n, stack.at(-3) ?? 0n];
      stack.splice(-3, 3, top, stack.at(-2) ?? 0n, below);
    },
    241: () => {
      const [, target, paid, start, length] = [pop(), pop(), pop(), at(), at(), pop(), pop()];
      const inner = memory.subarray(start, start + length).toString("hex");
      const result = call({ target: target.toString(16).padStart(40, "0"), value: paid, data: inner });
      returned = Buffer.from(result.returned, "hex");
      stack.push(result.succeeded ? 1n : 0n);
    },
  };
  for (;;) {
    const instruction = program[position++] ?? 0;
    if (instruction === 243) {
      const [start, length] = [at(), at()];
      return memory.subarray(start, start + length).toString("hex");
    }
    const run = instructions[instruction];
    if (!run) throw new Error(`unexpected instruction ${instruction}`);
    run();
  }
}

const TARGET = "c0de".repeat(10);
const word = (value: number) => value.toString(16).padStart(64, "0");

test.each<[string, string, boolean, string]>([
  ["a call that reverts with a reason", `a9059cbb${word(7)}`, false, `08c379a0${word(32)}${word(1)}${word(0x61)}`],
  ["a call that succeeds", "313ce567", true, word(6)],
  ["a call that reverts without a reason", "12345678", false, ""],
  ["a transfer without data", "", true, ""],
])(
  "the code that makes a call in place of the sender passes on %s with its value, and returns all of what it returned",
  (_, data, succeeded, returned) => {
    const seen: InnerCall[] = [];
    const call = (inner: InnerCall) => {
      seen.push(inner);
      return { succeeded, returned };
    };
    const sent = { data: `${"0".repeat(24)}${TARGET}${data}`, value: 1_000n };
    expect(execute(RELAY_CODE.slice(2), sent, call)).toBe(`${word(succeeded ? 1 : 0)}${returned}`);
    expect(seen).toEqual([{ target: TARGET, value: 1_000n, data }]);
  },
);
