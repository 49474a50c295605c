import { validateClientOptions, validClientOption } from "../../../src/config/connection/client-options.ts";
import { parseNodeUrl } from "../../../src/config/nodes.ts";

const VALID = { server: "https://relayer.example.org", token: "t0ken" };

test.each(["http://relayer.example.org", "http://10.0.0.7:8080"])(
  "refuse plain HTTP to %s unless allowed",
  (server) => {
    expect(() => validateClientOptions({ ...VALID, server })).toThrow(/allowHttp: true/);
    expect(validateClientOptions({ ...VALID, server, allowHttp: true }).origin).toBe(server);
  },
);

test.each(["http://localhost:8080", "http://127.0.0.1:8080", "http://[::1]:8080"])(
  "accept plain HTTP to %s",
  (server) => expect(validateClientOptions({ ...VALID, server }).origin).toBe(server),
);

test.each([
  ["server", undefined],
  ["server", "ftp://relayer.example.org"],
  ["token", undefined],
  ["token", ""],
  ["token", "a\nb"],
  ["timeout", 0],
  ["timeout", Number.NaN],
  ["retries", -1],
  ["retries", 1.5],
  ["proxy", 7],
])("are refused by name: %s %s", (name, value) => {
  const options = { ...VALID, [name]: value };
  expect(() => validateClientOptions(options)).toThrow(
    expect.objectContaining({ name: "RelayctlError", failure: "usage", message: expect.stringContaining(name) }),
  );
});

test("name the URL of a node", () =>
  expect(() => validClientOption("nodeUrl", "node", parseNodeUrl)).toThrow(
    expect.objectContaining({ name: "RelayctlError", failure: "usage", message: expect.stringContaining("nodeUrl") }),
  ));
