import { commonTargetFlags } from "../../src/command-support/common-flags.ts";

test.each(["-", "/dev/stdin", "/dev/fd/63", "/proc/self/fd/63"])(
  "a printed command does not repeat %s, which has its content once",
  (path) => {
    const header = [`@${path}`, "@headers", "X-Key: value"];
    expect(commonTargetFlags({ demo: true, tokenFile: path, header })).toEqual(["--demo", "--header", "@headers"]);
    expect(commonTargetFlags({ tokenFile: `./${path}` })).toEqual(["--token-file", `./${path}`]);
  },
);
