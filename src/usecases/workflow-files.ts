/** What the workflows of a plugin's repository say. */
export interface WorkflowSettings {
  /** Folder of the plugin inside the repository; `.` is the repository itself. */
  readonly plugin: string
  readonly branch: string
  readonly model: string
  /** Null = the Action's default. */
  readonly base_url: string | null
  readonly secret: string
  /** `OWNER/REPOSITORY@REF` of the Action. */
  readonly action: string
}

/** `org` stands for the account that holds a copy of the Action's repository. */
export const PLACEHOLDER_ACTION = 'org/genui-eval-action@v1'
const CHECKOUT = 'actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1'

/** The gate on pull requests. */
export function evaluationWorkflow(settings: WorkflowSettings): string {
  return `# Is the plugin build of a pull request worse than ${settings.branch}? Written by "genui-eval init"; yours to change.
# Forks have no secrets: docs/github.md of the Action shows the second workflow that they need.
name: genui-eval
on:
  pull_request:
  merge_group:
permissions:
  contents: read
concurrency:
  group: genui-eval-\${{ github.event.pull_request.number || github.ref }}
  cancel-in-progress: true
jobs:
  genui-eval:
    runs-on: ubuntu-latest
    timeout-minutes: 60
    permissions:
      contents: read
      pull-requests: write # the comment
      checks: write # the check run
    steps:
      - uses: ${CHECKOUT}
        with:
          fetch-depth: 2 # the merge commit and its first parent, whose baseline counts
          persist-credentials: false
      - uses: ${settings.action}
        with:
${withLines(settings, { suite: 'regression', 'max-minutes': '50' })}
`
}

/** The refresh of the baseline on the main branch. */
export function baselineWorkflow(settings: WorkflowSettings): string {
  const paths = settings.plugin === '.' ? '' : `\n    paths: [${quoted(`${settings.plugin}/**`)}]`
  return `# Refreshes the stored baseline after ${settings.branch} has changed, by pull request. Written by "genui-eval init"; yours to change.
name: genui-eval-baseline
on:
  push:
    branches: [${quoted(settings.branch)}]${paths}
  schedule:
    - cron: '17 4 * * 1'
  workflow_dispatch:
    inputs:
      accept-regression:
        description: Why a regression may enter the baseline; empty = it may not
        type: string
        default: ''
permissions:
  contents: read
concurrency:
  # one after another, so that no refresh is lost
  group: genui-eval-baseline
  cancel-in-progress: false
jobs:
  refresh:
    runs-on: ubuntu-latest
    timeout-minutes: 120
    permissions:
      # branch and pull request of the new baseline
      contents: write
      pull-requests: write
    steps:
      - uses: ${CHECKOUT}
        with:
          persist-credentials: false
      - uses: ${settings.action}
        with:
          mode: baseline
${withLines(settings, { suite: 'regression', 'baseline-trials': '10' })}
          accept-regression: \${{ inputs.accept-regression }}
`
}

function withLines({ plugin, model, base_url: baseUrl, secret }: WorkflowSettings, more: Readonly<Record<string, string>>): string {
  const inputs = { plugin, ...more, model, ...(baseUrl === null ? {} : { 'base-url': baseUrl }) }
  const lines = Object.entries(inputs).map(([name, value]) => `          ${name}: ${quoted(value)}`)
  return [...lines, `          api-key: \${{ secrets.${secret} }}`].join('\n')
}

/** A YAML scalar in single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
