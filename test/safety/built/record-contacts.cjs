/** Loaded before the program: appends every attempt to contact another machine to the file in CONTACTS_FILE, one per line. */
const { appendFileSync } = require("node:fs");
const net = require("node:net");
const dgram = require("node:dgram");
const dns = require("node:dns");

const record = (text) => appendFileSync(process.env.CONTACTS_FILE, `${text}\n`);

function watch(owner, name, describe) {
  const original = owner[name];
  owner[name] = function (...args) {
    record(describe(...args));
    return original.apply(this, args);
  };
}

watch(net.Socket.prototype, "connect", (...args) => {
  const [first, second] = Array.isArray(args[0]) ? args[0] : args;
  const { host, port, path } = typeof first === "object" ? first : { host: second, port: first };
  return path ?? `${host}:${port}`;
});
for (const name of ["lookup", "resolve", "resolve4", "resolve6"]) watch(dns, name, (host) => host);
for (const name of ["lookup", "resolve", "resolve4", "resolve6"]) watch(dns.promises, name, (host) => host);
watch(dgram.Socket.prototype, "send", (...args) => `datagram to ${args.slice(1).join(" ")}`);
watch(dgram.Socket.prototype, "connect", (port, host) => `datagram to ${host}:${port}`);
