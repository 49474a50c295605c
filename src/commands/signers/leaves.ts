import { type SignerMember, type SignerType, signerMembers } from "../../contract/signer.ts";

/** A member of a signer's config that is typed by a flag of its own. */
export interface Leaf {
  member: SignerMember;
  /** From `config` down: `["key", "key_id"]`. */
  path: readonly string[];
  /** `--key-id`; `--key-file` for what is read from a file. */
  flag: string;
}

/** Every member of a type that has a flag. */
export function leavesOf(type: SignerType): Leaf[] {
  return leavesIn(signerMembers[type], []);
}

function leavesIn(members: readonly SignerMember[], before: readonly string[]): Leaf[] {
  return members.flatMap((member) => {
    const path = [...before, member.name];
    return member.members && !member.asFile ? leavesIn(member.members, path) : { member, path, flag: flagOf(member) };
  });
}

function flagOf({ name, secret, asFile }: SignerMember): string {
  return `--${name.replaceAll("_", "-")}${secret || asFile ? "-file" : ""}`;
}

/** The name under which commander keeps what was typed for a flag. */
export function attributeOf({ flag }: Leaf): string {
  return flag.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Whether the member is read from a file. */
export function isRead({ member }: Leaf): boolean {
  return member.secret === true || member.asFile === true;
}
