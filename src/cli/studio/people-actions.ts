import { type PersonRole, roles } from "../../domain/people/role.ts";
import { addPerson, listPeople, removePerson } from "../../wiring/studio/people.ts";
import type { CliContext } from "../shell/cli-context.ts";
import { invalidFlag } from "../shell/flag-values.ts";
import { ownWords } from "../shell/own-words.ts";
import { type JsonFlags, printRemark, printResult, projectPlaceOf } from "../shell/print.ts";

export interface AddPersonFlags extends JsonFlags {
  readonly role: string;
}

/** Prints the token; nothing can print it again. */
export async function addPersonCommand(
  cli: CliContext,
  given: string | undefined,
  flags: AddPersonFlags,
): Promise<void> {
  const role = checkedRole(flags.role);
  const name = await ownWords(cli, given, {
    ...{ flag: "The name", question: "What is the person called?" },
    example: `\`signoff people add Ada --role ${role}\``,
  });
  const token = await addPerson(projectPlaceOf(cli), name, role);
  printResult(cli, flags, { name, role, token }, token);
  if (flags.json !== true) printRemark(cli, handOver(name));
}

function handOver(name: string): string {
  return `This is ${name}'s token, shown only now. They sign in with it on the studio's page.`;
}

export async function listPeopleCommand(cli: CliContext, flags: JsonFlags): Promise<void> {
  const people = await listPeople(projectPlaceOf(cli));
  const json = people.map(({ name, role, addedAt }) => ({ name, role, added_at: addedAt }));
  const lines = people.map(({ name, role }) => `${role.padEnd(6)}  ${name}`);
  printResult(cli, flags, { people: json }, lines.length === 0 ? noPeople : lines);
}

const noPeople = "No one has a personal token yet. Add a person with `signoff people add`.";

export async function removePersonCommand(
  cli: CliContext,
  name: string,
  flags: JsonFlags,
): Promise<void> {
  await removePerson(projectPlaceOf(cli), name);
  printResult(
    cli,
    flags,
    { removed: name },
    `${name}'s token is revoked and their sessions ended.`,
  );
}

function checkedRole(given: string): PersonRole {
  const role = roles.find((one) => one === given);
  if (role !== undefined) return role;
  throw invalidFlag(`${given} is not a role.`, `Use ${roles.join(", ")}.`, { flag: "--role" });
}
