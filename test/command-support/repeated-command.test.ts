// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are for a shell to expand
import { repeatedCommand, withoutConsent, withoutFlag } from "../../src/command-support/repeated-command.ts";
import { commandLine } from "../../src/shell/shell-words.ts";
import { argvUnder, argvUnderSh } from "../helpers/shell.ts";

const ODD = ["it's", '"q" $HOME `id`', "a\nb", "", "-", "--x=y z", "😀", "\\", "!"];

test("keeps its arguments in a shell", () => {
  expect(argvUnder("/bin/bash", "relayctl", commandLine(...ODD))).toEqual(ODD);
  expect(argvUnder("/bin/bash", "relayctl", repeatedCommand(["relayers", ...ODD], ["--yes"]))).toEqual([
    "relayers",
    ...ODD,
    "--yes",
  ]);
});

test("has a new flag before --", () =>
  expect(repeatedCommand(["relayers", "get", "--", "-id"], ["--yes"])).toBe("relayctl relayers get --yes -- -id"));

test("has each flag once", () => {
  expect(repeatedCommand(["x", "--confirm", "a", "y", "--confirm=b"], ["--confirm", "c"])).toBe(
    "relayctl x y --confirm c",
  );
  expect(repeatedCommand(["x", "--verbose"], ["--verbose"])).toBe("relayctl x --verbose");
});

test("omits earlier confirmations", () => {
  const argv = ["x", "-y", "--yes", "-qyv", "--confirm", "a", "--confirm=b", "-oyaml", "--", "-y"];
  expect(withoutConsent(argv)).toEqual(["x", "-qv", "-oyaml", "--", "-y"]);
  expect(withoutConsent(["api", "-f", "-", "-yy"])).toEqual(["api", "-f", "-"]);
});

test("omits a flag with its values", () =>
  expect(withoutFlag(["x", "--row", "2", "--row=3", "y"], "--row", true)).toEqual(["x", "y"]));

test("has shell variables for secrets in URLs", () => {
  const argv = [
    "u",
    "--rpc-url",
    "https://a.example/KEY,weight=5",
    "--rpc-url=https://b.example/KEY",
    "--rpc-url",
    "https://c.example",
  ];
  const text = repeatedCommand([...argv, "--proxy", "http://u:p@proxy:1"], ["--yes"]);
  expect(text).toBe(
    'relayctl u --rpc-url "${RPC_URL_1:?}",weight=5 --rpc-url="${RPC_URL_2:?}" --rpc-url https://c.example --proxy "${PROXY:?}" --yes',
  );
  const variables = {
    RPC_URL_1: "https://a.example/KEY",
    RPC_URL_2: "https://b.example/KEY",
    PROXY: "http://u:p@proxy:1",
  };
  expect(argvUnderSh("relayctl", text, variables)).toEqual([...argv, "--proxy", "http://u:p@proxy:1", "--yes"]);
});
