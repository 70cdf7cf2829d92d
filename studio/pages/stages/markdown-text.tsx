import { Fragment, type ReactNode, useMemo } from "react";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import styles from "./markdown-text.module.css";

const parser = unified().use(remarkParse).use(remarkGfm).freeze();

type Node = ReturnType<typeof parser.parse>["children"][number];

/**
 * Markdown as elements that React makes one by one. What is not in the list below is shown as the letters it is
 * written with: HTML stays text, a link tells where it would lead and leads nowhere, an image is its description.
 */
export function MarkdownText({ text }: { readonly text: string }) {
  const nodes = useMemo(() => parser.parse(text).children, [text]);
  return <div className={styles.markdown}>{all(nodes)}</div>;
}

function all(nodes: readonly Node[]): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: a parsed text is never changed, only replaced
  return nodes.map((node, at) => <Fragment key={at}>{one(node)}</Fragment>);
}

function one(node: Node): ReactNode {
  switch (node.type) {
    case "link":
    case "linkReference":
      return <Words nodes={node.children} address={node.type === "link" ? node.url : undefined} />;
    case "image":
    case "imageReference":
      return node.alt ?? "";
    case "text":
    case "html":
    case "yaml":
      return node.value;
    case "definition":
      return `[${node.identifier}]: ${node.url}`;
    case "inlineCode":
      return <code>{node.value}</code>;
    case "code":
      return <pre className="command">{node.value}</pre>;
    case "break":
      return <br />;
    case "thematicBreak":
      return <hr />;
    default:
      return container(node);
  }
}

type Container = Extract<Node, { readonly children: unknown }>;

function container(node: Container | { readonly type: string }): ReactNode {
  if (!("children" in node)) return null;
  const inside = all(node.children);
  switch (node.type) {
    case "heading":
      return node.depth === 1 ? <h3>{inside}</h3> : <h4>{inside}</h4>;
    case "list":
      return node.ordered === true ? <ol>{inside}</ol> : <ul>{inside}</ul>;
    case "listItem":
      return <li>{inside}</li>;
    case "blockquote":
      return <blockquote>{inside}</blockquote>;
    case "strong":
      return <strong>{inside}</strong>;
    case "emphasis":
      return <em>{inside}</em>;
    case "delete":
      return <s>{inside}</s>;
    case "paragraph":
      return <p>{inside}</p>;
    case "table":
      return (
        <table>
          <tbody>{inside}</tbody>
        </table>
      );
    case "tableRow":
      return <tr>{inside}</tr>;
    case "tableCell":
      return <td>{inside}</td>;
    default:
      return inside;
  }
}

function Words(props: { readonly nodes: readonly Node[]; readonly address: string | undefined }) {
  const { nodes, address } = props;
  return (
    <>
      {all(nodes)}
      {address !== undefined && <span className="soft"> ({address})</span>}
    </>
  );
}
