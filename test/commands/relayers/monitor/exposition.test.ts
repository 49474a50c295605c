import { cli } from "../../../helpers/cli.ts";
import { samplesIn } from "./exposition.ts";

const family = (name: string, type = "gauge", ...samples: string[]) =>
  `# HELP ${name} Some words.\n# TYPE ${name} ${type}\n${(samples.length > 0 ? samples : [`${name} 1`]).join("\n")}\n`;

test.each([
  family("pool_size"),
  family("requests_total", "counter", 'requests_total{code="200"} 1', 'requests_total{code="500"} 2'),
  family("age_seconds", "gauge", "age_seconds +Inf"),
  family("age_seconds") + family("size_bytes", "gauge", "size_bytes 1.5e+10"),
  family("info", "gauge", 'info{name="a\\"b\\\\c\\n,d=}"} 1'),
])("the parser of metrics accepts %j", (text) => expect(samplesIn(text).length).toBeGreaterThan(0));

test.each([
  ["the last line has no end", family("size").trimEnd()],
  ["no help and type", "size 1\n"],
  ["no help and type", "# TYPE size gauge\nsize 1\n"],
  ["no help and type", "# HELP size Words.\nsize 1\n"],
  ["no help and type", "# HELP size Words.\n# TYPE length gauge\nsize 1\n"],
  ["no help and type", "# HELP size Words \\x.\n# TYPE size gauge\nsize 1\n"],
  ["no help and type", family("size", "number")],
  ["no help and type", family("1size")],
  ["no sample of size", "# HELP size Words.\n# TYPE size gauge\n"],
  ["no sample of size", family("size", "gauge", "length 1")],
  ["no sample of size", family("size", "gauge", "size  1")],
  ["no sample of size", family("size", "gauge", "size 1", "")],
  ["no sample of size", family("size", "gauge", "size 1 1700000000000")],
  ["not a value", family("size", "gauge", "size one")],
  ["not a value", family("size", "gauge", "size 0x10")],
  ["not a value", family("size", "gauge", "size 1_000")],
  ["not labels", family("size", "gauge", 'size{a-b="1"} 1')],
  ["not labels", family("size", "gauge", "size{a='1'} 1")],
  ["not labels", family("size", "gauge", 'size{a="b"c"} 1')],
  ["not labels", family("size", "gauge", 'size{a="\\t"} 1')],
  ["not labels", family("size", "gauge", 'size{a="1",} 1')],
  ["the label a occurs twice", family("size", "gauge", 'size{a="1",a="2"} 1')],
  ["something occurs twice", family("size") + family("length") + family("size")],
  ["something occurs twice", family("size", "gauge", 'size{a="1",b="2"} 1', 'size{b="2",a="1"} 2')],
  ["has no help", "# HELP size  \n# TYPE size gauge\nsize 1\n"],
  ["has a colon", family("pool:size")],
  ["is not in snake case", family("poolSize")],
  ["has an abbreviated unit", family("age_ms")],
  ["is not in seconds", family("age_minutes")],
  ["is not in bytes", family("size_megabytes")],
  ["is not in ratio", family("usage_percent")],
  ["has its type", family("size_gauge")],
  ["is a counter without _total", family("requests", "counter")],
  ["is not a counter", family("size_total")],
  ["has a suffix", family("size_count")],
  ["has a label of a histogram", family("size", "gauge", 'size{le="1"} 1')],
  ["has a label that is not in snake case", family("size", "gauge", 'size{relayerId="1"} 1')],
  ["has a reserved label", family("size", "gauge", 'size{__a="1"} 1')],
  ["has different labels", family("size", "gauge", "size 1", 'size{a="1"} 1')],
])("the parser of metrics finds that a text %s: %j", (fault, text) => expect(() => samplesIn(text)).toThrow(fault));

test("the metrics of the embedded server are valid too", async () => {
  const { stdout } = await cli("server metrics --all");
  expect(samplesIn(stdout)).toHaveLength(5);
});
