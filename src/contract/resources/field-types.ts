import type { FlagText, Forms, ResponseForms, SentField } from "./field.ts";

type NamesWith<T, Part> = { [K in keyof T]: T[K] extends Part ? K : never }[keyof T];

/** A response with these fields. */
export type Returned<T> = { [K in NamesWith<T, { holds: "id" }>]: string } & {
  [K in keyof T as T[K] extends { holds: keyof ResponseForms } ? K : never]?: T[K] extends {
    holds: infer H extends keyof ResponseForms;
  }
    ? ResponseForms[H]
    : never;
};

export type ChangeableField<T> = NamesWith<T, { update: SentField }>;

export type FieldValue<S> = S extends { words: readonly (infer W)[] }
  ? W
  : S extends { form: infer F extends keyof Forms }
    ? Forms[F]
    : never;

type OrNull<S> = S extends { null: "accepted" | "refused" } ? null : never;

/** The merge patch of a resource: absent keeps a field, null clears it (facts 4.5). */
export type Patch<T> = {
  [K in keyof T as T[K] extends { update: SentField } ? K : never]?: T[K] extends { update: infer S }
    ? FieldValue<S> | OrNull<S>
    : never;
};

export type Creation<T> = {
  [K in keyof T as T[K] extends { create: { needed: string } } ? K : never]: T[K] extends { create: infer S }
    ? FieldValue<S>
    : never;
} & {
  [K in keyof T as T[K] extends { create: { needed: string } }
    ? never
    : T[K] extends { create: SentField }
      ? K
      : never]?: T[K] extends { create: infer S } ? FieldValue<S> | OrNull<S> : never;
};

/** `perPage` for `per-page`. */
export type Camel<S> = S extends `${infer A}-${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;
type Attribute<F> = F extends `--${infer Name} <${string}>`
  ? Camel<Name>
  : F extends `--${infer Name}`
    ? Camel<Name>
    : never;
type AttributeOf<S> = S extends { flag: readonly [infer F, string] } ? Attribute<F> : never;

type Typed<S> = S extends { form: "flag" }
  ? S extends { clear: FlagText }
    ? boolean
    : true
  : S extends { form: "rpc urls" }
    ? string[]
    : S extends { clear: FlagText }
      ? string | false
      : string;

export type FieldFlags<T, Use extends "create" | "update"> = {
  [K in keyof T as T[K] extends Record<Use, infer S> ? AttributeOf<S> : never]?: T[K] extends Record<Use, infer S>
    ? Typed<S>
    : never;
};
