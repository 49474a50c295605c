import { splitShellLine } from "../../src/completion/shells.ts";

/** As bash has it unless it is changed. */
const BREAKS = " \t\n\"'@><=;|&(:";

test.each([
  ["relayctl relayers  upd", ["relayctl", "relayers", "upd"], "", 0],
  ["relayctl relayers ", ["relayctl", "relayers", ""], "", 0],
  ["relayctl get 'eth main' x", ["relayctl", "get", "eth main", "x"], "", 0],
  ["relayctl get eth\\ ma", ["relayctl", "get", "eth ma"], "", 0],
  ["relayctl get 'a\\b'c", ["relayctl", "get", "a\\bc"], "", 0],
  ['relayctl get "a\\"b', ["relayctl", "get", 'a"b'], '"', 0],
  ["relayctl get 'eth ma", ["relayctl", "get", "eth ma"], "'", 0],
  ["relayctl get '' ", ["relayctl", "get", "", ""], "", 0],
  ["relayctl --output=js", ["relayctl", "--output=js"], "", "--output=".length],
  ['relayctl --name="a b', ["relayctl", "--name=a b"], '"', "--name=".length],
  ["relayctl get urn:eth:m", ["relayctl", "get", "urn:eth:m"], "", "urn:eth:".length],
  ["relayctl get urn\\:eth", ["relayctl", "get", "urn:eth"], "", 0],
  ["relayctl get a\\", ["relayctl", "get", "a"], "", 0],
] as const)("%s", (line, words, quote, kept) => expect(splitShellLine(line, BREAKS)).toEqual({ words, quote, kept }));
