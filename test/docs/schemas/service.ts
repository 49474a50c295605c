import { anything, closed, mapOf, open, orNull, type Schema, text, texts } from "./schema.ts";

export const HEALTH = closed("The response of the service to a check of its health.", {
  health: text("The text of the response, at most 200 characters: OK if the service is well."),
});

export const READINESS = open("The readiness of the service, as the service returns it.", {
  ready: orNull({ description: "Whether the service is ready for work.", type: "boolean" }),
  status: orNull(text("The state in one word, e.g. healthy.")),
  reason: orNull(text("Why the service is not ready.")),
  components: orNull(mapOf("The state of each part, e.g. system, redis, queue, and plugins.", open("A part."))),
  timestamp: orNull(text("When the service checked itself, in RFC 3339.")),
});

export const METRICS: Schema = {
  ...texts(
    "The names of the metrics of the service; with a name or --all, their values in the Prometheus text format.",
  ),
  type: ["array", "string"],
};

const amount = (description: string): Schema => ({ description, type: ["string", "integer", "number", "null"] });

const FEES = {
  fee_in_token: amount("Stellar: the fee in the smallest unit of the token."),
  fee_in_token_ui: amount("The fee in the token."),
  max_fee_in_token: amount("Stellar: the most that the fee can be, in the smallest unit of the token."),
  max_fee_in_token_ui: amount("Stellar: the most that the fee can be, in the token."),
};

export const QUOTE = open(
  "The fee of a sponsored transaction, as the service returns it. The members depend on the kind of the network.",
  {
    ...FEES,
    conversion_rate: amount("The price of the coin in the token."),
    estimated_fee: amount("Solana: the fee in the smallest unit of the token."),
  },
  ["conversion_rate"],
);

export const BUILT_TRANSACTION = open(
  "A built sponsored transaction, as the service returns it. The members depend on the kind of the network.",
  {
    ...FEES,
    transaction: text("The transaction to sign, in Base64."),
    fee_token: orNull(text("The token of the fee.")),
    fee_in_stroops: amount("Stellar: the fee in stroops."),
    fee_in_lamports: amount("Solana: the fee in lamports."),
    fee_in_spl: amount("Solana: the fee in the smallest unit of the token."),
    valid_until: orNull(text("Stellar: when the transaction expires, in RFC 3339.")),
    valid_until_blockheight: amount("Solana: the last block that can contain the transaction."),
  },
  ["transaction"],
);

/** Of EVM relayers: Stellar and Solana sign transactions only. */
export const SIGNATURE = open(
  "The signature of an EVM relayer, as the service returns it.",
  {
    sig: text("The signature: r, s, and v in one, in hexadecimal digits without 0x."),
    r: orNull(text("The first half of the signature.")),
    s: orNull(text("The second half of the signature.")),
    v: anything("The recovery value, an integer."),
  },
  ["sig"],
);

export const SIGNED_TRANSACTION = open(
  "A signed transaction, as the service returns it. The members depend on the kind of the network.",
  {
    transaction: orNull(text("Solana: the signed transaction, in Base64.")),

    signedXdr: orNull(text("Stellar: the signed envelope, in Base64.")),
    signature: orNull(text("The signature.")),
  },
  ["signature"],
);

export const ANYTHING = anything(
  "A response as the program on the other side returned it: of a node, of a plugin, or of any operation of the service.",
);
