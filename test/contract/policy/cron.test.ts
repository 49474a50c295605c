import { cronProblem } from "../../../src/contract/policy/cron.ts";

test.each([
  "0 0 * * * *",
  "*/15 0-30/5 1,13 ? JAN-MAR Mon,fri",
  "0 0 0 1 1 * 2030",
  "0  0 12 * * 1-5",
  "5/10 * * * * *",
  "@daily",
  " @daily ",
  "0 0 0 * * mon , Wed-fri",
  "0 0 1 - 5 * * * ",
  "0 0 */ 2 ? * ?/2",
  "0 0 0 * January-sep Tues,thurs,SUNDAY-SATURDAY/2",
])("%s is valid", (text) => expect(cronProblem(text)).toBeUndefined());

test.each(["", " "])("%j is empty", (text) => expect(cronProblem(text)).toBe("Empty cron schedule is not accepted"));

test.each([
  "often",
  "@soon",
  "* * * * *",
  "* * * * * * 2030 *",
  "60 * * * * *",
  "* * 24 * * *",
  "* * * 0 * *",
  "* * * * 13 *",
  "* * * * * 0",
  "* * * * * 8",
  "* * * * * * 1969",
  "30-10 * * * * *",
  "*/0 * * * * *",
  "MON * * * * *",
  "? * * * * *",
  "* * * * ? *",
  "* * * * FOO *",
  "* * * * Ju *",
  "* * * * MON *",
  "* * * * * Tue/2",
  "* * * * * FRI-MON",
  "* * * * DEC-JAN *",
  "1,, * * * * *",
  "-1 * * * * *",
])("%s is invalid", (text) => {
  expect(cronProblem(text)).toBe("Invalid cron schedule format: 6 or 7 cron fields, seconds first, e.g. 0 0 * * * *");
});
