import { ClosedPipe } from "../../../src/terminal/streams/output.ts";
import { createPagedOutput, type Pager } from "../../../src/terminal/streams/paged-output.ts";
import { memoryOutput } from "../../helpers/memory/output.ts";

const LINES = "line\n".repeat(10);

function opened(pager: Partial<Pager> & { quitsAfter?: number } = {}) {
  const stdout = memoryOutput({ terminal: true, rows: 8, redact: (text) => text });
  const shown: string[] = [];
  const problems: string[] = [];
  let starts = 0;
  const { quitsAfter = Number.POSITIVE_INFINITY } = pager;
  const output = {
    write: async (text: string | Uint8Array) => {
      if (shown.length >= quitsAfter) throw new ClosedPipe();
      shown.push(String(text));
    },
  };
  const open = async () => {
    starts++;
    return { output, close: async () => undefined, ...pager };
  };
  const paged = createPagedOutput(stdout, open, async (problem) => void problems.push(problem));
  return { paged, stdout, shown, problems, starts: () => starts };
}

describe("a text", () => {
  test("that fits the screen is written straight, without a pager", async () => {
    const { paged, stdout, starts } = opened();
    expect(paged.isHolding()).toBe(false);
    await paged.stdout.write("a\n");
    await paged.stdout.write("b\n");
    expect(paged.isHolding()).toBe(true);
    await paged.close();
    expect(paged.isHolding()).toBe(false);
    expect(stdout.text()).toBe("a\nb\n");
    expect(starts()).toBe(0);
  });

  test("that is longer goes to one pager as a whole, and keeps the width and the terminal", async () => {
    const { paged, stdout, shown, starts } = opened();
    for (const line of LINES.match(/.*\n/g) ?? []) await paged.stdout.write(line);
    expect(paged.isHolding()).toBe(true);
    await paged.stdout.write("last\n");
    await paged.close();
    expect(shown.join("")).toBe(`${LINES}last\n`);
    expect([starts(), stdout.text(), paged.stdout.columns, paged.stdout.isTerminal]).toEqual([1, "", 80, true]);
  });
});

test("no more is written once the user has quit", async () => {
  const { paged, stdout, problems } = opened({ quitsAfter: 1 });
  await paged.stdout.write(LINES);
  await expect(paged.stdout.write("more\n")).rejects.toThrow(ClosedPipe);
  await paged.close();
  expect([stdout.text(), problems]).toEqual(["", []]);
});

test.each([1, 2])("a text is not written again after a pager got %d parts of it and failed", async (quitsAfter) => {
  const { paged, stdout, shown, problems } = opened({ quitsAfter, close: async () => "it ended with status 1" });
  await paged.stdout.write(LINES);
  const last = paged.stdout.write("last\n");
  await (quitsAfter === 1 ? expect(last).rejects.toThrow(ClosedPipe) : last);
  await paged.close();
  await paged.close();
  expect(shown.join("")).toBe(quitsAfter === 1 ? LINES : `${LINES}last\n`);
  expect([stdout.text(), problems, paged.isHolding()]).toEqual(["", ["it ended with status 1"], false]);
});
