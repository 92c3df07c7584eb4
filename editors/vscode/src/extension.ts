// Starts `citeproof lsp` for bibliographies and papers, and again when its settings change.
import { ExtensionContext, window, workspace } from "vscode";
import { LanguageClient, TransportKind } from "vscode-languageclient/node";

const LANGUAGES = ["bibtex", "latex", "markdown"];
let client: LanguageClient | undefined;

async function start(): Promise<void> {
  const settings = workspace.getConfiguration("citeproof");
  const command = settings.get<string>("command", "citeproof");
  const database = settings.get<string>("database", "");
  const args = database ? ["lsp", "--bib-db", database] : ["lsp"];
  client = new LanguageClient(
    "citeproof",
    { command, args, transport: TransportKind.stdio },
    { documentSelector: LANGUAGES.map((language) => ({ scheme: "file", language })) },
  );
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    void window.showErrorMessage(`citeproof did not start: ${error}. It needs citeproof with the extra lsp: see docs/cli.md, Extras`);
  }
}

export async function activate(context: ExtensionContext): Promise<void> {
  context.subscriptions.push(
    workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("citeproof")) {
        await deactivate();
        await start();
      }
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
  client = undefined;
}
