import { promptInLines, shownChoice } from "../../../src/terminal/prompts/run-prompt.ts";

const ID = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const ROW = "rpc urls                  1 (masked: replaced as a whole or not at all)";

describe("a text in a prompt", () => {
  test("that fits stays as it is", () => {
    expect(promptInLines(ROW, ROW.length + 6, 6)).toBe(ROW);
    expect(promptInLines(ROW, Number.POSITIVE_INFINITY, 6)).toBe(ROW);
  });

  test("hangs below the second column of a row", () => {
    const indent = " ".repeat(32);
    expect(promptInLines(ROW, 60, 6)).toBe(
      `rpc urls                  1 (masked: replaced as a\n${indent}whole or not at all)`,
    );
  });

  test("hangs below the lead without columns, and if the first is wider than half of the terminal", () => {
    expect(promptInLines("Pause 2 relayers in prod?", 20, 2)).toBe("Pause 2 relayers\n  in prod?");
    expect(promptInLines(ROW, 40, 6)).toMatch(/^rpc urls +1\n {6}\(masked: replaced as a whole or\n {6}not at all\)$/);
  });

  test("hangs below the lead if an ID needs more room than there is below the second column", () => {
    const hash = `0x${"ab".repeat(20)}`;
    expect(promptInLines(`${ID}  confirmed · to ${hash}`, 78, 2)).toBe(`${ID}  confirmed · to\n  ${hash}`);
    expect(promptInLines(`${ID}  confirmed · to ${hash}`, 84, 2)).toBe(
      `${ID}  confirmed · to\n${" ".repeat(40)}${hash}`,
    );
  });

  test("is never broken within an ID, even if that is wider than the terminal", () => {
    for (let columns = 10; columns < 60; columns++)
      expect(promptInLines(`Cancel ${ID} now?`, columns, 2)).toContain(ID);
  });

  test("keeps the short form of a choice on one line", () => {
    const { name, short } = shownChoice({ value: 1, name: ROW }, 60, 6);
    expect([name.split("\n").length, short]).toEqual([2, ROW]);
  });
});
