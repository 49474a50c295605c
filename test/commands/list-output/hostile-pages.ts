/** A list as a service or a proxy may send it: the bodies of its pages, which are requested in turn. */
export type Pages = readonly (string | Uint8Array)[];

function page(items: readonly string[], number = 1, { total = items.length, size = 1000 } = {}): string {
  const pagination = `{"current_page":${number},"per_page":${size},"total_items":${total}}`;
  return `{"success":true,"data":[${items.join(",")}],"error":null,"pagination":${pagination}}`;
}

function relayer(id: string, more = ""): string {
  return `{"id":"${id}","name":"Relayer ${id}","network":"mainnet","network_type":"evm","paused":false${more}}`;
}

const DEPTH = 60;
const DEEP = `${'{"a":['.repeat(DEPTH)}12345678901234567890${"]}".repeat(DEPTH)}`;

const ODD_ITEMS = [
  relayer(
    "odd-numbers",
    ',"policies":{"min_balance":1.0,"gas_price_cap":1e21,"a":-0,"b":1E+2,"c":0.10e-7,"d":-0.0,"e":5e-324}',
  ),
  relayer("large-numbers", ',"policies":{"min_balance":123456789012345678901234567890,"a":9007199254740993,"b":1e400}'),
  relayer("controls", ',"address":"a\u007fb\u0080c\u009bd\u2028e\ufefff\u202eg\u200dh"'),
  relayer("escaped-controls", ',"address":"a\\u0000b\\u001b[31mc\\nd\\te\\u007ff\\u009b31mg\\r\\b\\f"'),
  relayer("quotes", ',"address":"a\\"b\\\\c\\/d, e; \'f\' # g: h"'),
  relayer("escapes", ',"\\u0061ddress":"\\u0030x\\u00e9\\ud83d\\ude00","\\u0070aused2":true'),
  relayer("scripts", ',"address":"決済 दफ़्तर دفع Ελλάς Казна é e\u0301 👩‍👩‍👧‍👦 🇩🇪"'),
  relayer(
    "unmasked",
    ',"custom_rpc_urls":[{"url":"https://rpc.example.org/v2/key-123?api-key=key-456","weight":80},' +
      '{"url":"https://user:password@rpc.example.org:8443"},{"url":"wss://rpc.example.org?token=key-789","weight":1}]',
  ),
  relayer(
    "half-masked",
    ',"custom_rpc_urls":[{"url":"https:\\/\\/rpc.example.org\\/v2\\/key-321"},"https://rpc.example.org/key-654",7,null]',
  ),
  relayer(
    "unmasked-elsewhere",
    ',"more":{"custom_rpc_urls":[{"url":"https://rpc.example.org/v2/key-987"}],"url":"https://h.example.org/key-1"}',
  ),
  relayer("unknown", `,"deep":${DEEP},"list":[[],{},[[]],"",null,true],"":"empty","a.b":"dot"`),
  relayer("keys", ',"10":"ten","2":"two","__proto__":{"x":1},"constructor":null,"toString":"x"'),
  relayer("absent", ',"policies":null,"notification_id":null,"address":"","custom_rpc_urls":[],"disabled_reason":{}'),
  relayer(
    "other-types",
    ',"address":7,"system_disabled":"yes","policies":[1],"disabled_reason":"x","custom_rpc_urls":{}',
  ),
  relayer(
    "disabled",
    ',"system_disabled":true,"disabled_reason":{"type":"Multiple","details":[{"type":"A","details":"B"},"C"]}',
  ),
  ...['{"id":"no-name"}', '{"name":"Last","paused":true,"id":"id-last"}'],
];

/** A page of items with everything that JSON allows and a service is not expected to send. */
export const ODD = page(ODD_ITEMS);

/** Returns the text of a page as a proxy formats it. */
export function formatted(body: string): string {
  return body.replaceAll(/("(?:[^"\\]|\\.)*")|[{}[\],:]/g, (found, text) =>
    text === undefined ? `\r\n\t  ${found}  ` : found,
  );
}

const ordered = Array.from({ length: 12 }, (_, index) => relayer(`r${String(index + 1).padStart(2, "0")}`));
const [first = "", second = "", ...others] = ordered;

/** Returns a page with a secret in each place where a service could repeat it, as it is and escaped. */
export function pageWith(secret: string): string {
  const escaped = [...secret]
    .map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
  const partly = `${secret.slice(0, 5)}${escaped.slice(30)}`;
  return page([
    first,
    relayer("in-a-text", `,"address":"x ${secret} y"`),
    relayer("escaped", `,"address":"x ${escaped} y","notification_id":"${partly}"`),
    relayer("unknown", `,"more":[{"a":"${secret}"}],"${secret}":1,"${escaped}2":2`),
    relayer("in-a-url", `,"custom_rpc_urls":[{"url":"https://rpc.example.org/${secret}","weight":1}]`),
    relayer("twice", `,"address":"${secret}${secret}"`),
  ]);
}

/** Lists that are read, whatever they look like. */
export const READ: Readonly<Record<string, Pages>> = {
  "an item on two pages": [
    page([first, second], 1, { total: 5, size: 2 }),
    page([relayer("r02", ',"address":"another"'), others[0] ?? ""], 2, { total: 5, size: 2 }),
    page([relayer("r\\u00301")], 3, { total: 5, size: 2 }),
  ],
  "an item on two pages, and none missing": [
    page([first, second], 1, { total: 5, size: 2 }),
    page([relayer("r02", ',"address":"another"'), others[0] ?? ""], 2, { total: 5, size: 2 }),
    page([others[1] ?? "", others[2] ?? ""], 3, { total: 5, size: 2 }),
  ],
  "ids without order": [
    page([...others].reverse(), 1, { total: 13, size: 10 }),
    page([second, relayer("R2"), first], 2, { total: 13, size: 10 }),
  ],
  "envelope with its members in another order": [
    `{"pagination":{"total_items":2,"per_page":1000,"current_page":1,"x":[]},"error":null,"metadata":{"data":[]},"data":[${first},${second}],"success":true}\n`,
  ],
  "an empty id": [page([first, '{"id":""}'])],
  "no items": [page([])],
  "no pagination": [`{"success":true,"data":[${first},${second}],"error":null}`],
};

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

/** Lists of which something cannot be read. */
export const REFUSED: Readonly<Record<string, Pages>> = {
  "a member twice": [page([first, relayer("twice", ',"id":"other"')])],
  "a member twice, once escaped": [page([first, relayer("twice", ',"\\u0069d":"other"')])],
  "a nested member twice": [page([first, relayer("twice", ',"policies":{"a":1,"b":{"c":1,"c":2}}')])],
  "data twice": [`{"success":true,"data":[${first}],"data":[${second}],"error":null}`],
  "an id that is a number": [page([first, '{"id":7}'])],
  "half a character": [page([first, relayer("r2", ',"address":"\\ud800"')])],
  "no id": [page([first, '{"name":"x"}'])],
  "an item that is a text": [page([first, '"r2"'])],
  "an item that is a list": [page([first, "[]"])],
  "data that is not a list": ['{"success":true,"data":{"id":"r1"},"error":null}'],
  "bytes that are not UTF-8": [bytes(page([relayer("r\u00c3\u0028")]))],
  "a text that is cut off": [page([first, second]).slice(0, -40)],
  "text after the end": [`${page([first])}{}`],
  "a comma too many": [page([first, second]).replace("}],", "},],")],
  "a line break in a text": [page([first.replace("Relayer", "Relayer\n")])],
  "a number with a leading zero": [page([first, relayer("r2", ',"a":01')])],
  "an unknown escape": [page([first, relayer("r2", ',"a":"\\x"')])],
  "a byte order mark": [`\ufeff${page([first])}`],
  "too deep": [page([relayer("r2", `,"a":${"[".repeat(5000)}${"]".repeat(5000)}`)])],
  "a second page that cannot be read": [
    page([first, second], 1, { total: 4, size: 2 }),
    page([others[0] ?? "", '{"id":'], 2, { total: 4, size: 2 }),
  ],
};
