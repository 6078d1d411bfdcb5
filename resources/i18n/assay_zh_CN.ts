<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>QObject</name>
    <message>
        <source>this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose 1 to 1,000 values.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Both ends must be numbers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A logarithmic range needs ends above zero.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give at least one value.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seeds are whole numbers from 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is listed twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These are more than 9,000 runs; use fewer values.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See why “%1” failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its page shows the error, what to do about it, and the log.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume “%1”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It goes on from its last checkpoint.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare cost and accuracy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set every version of your model beside the base.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 finished runs can be set side by side.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plan the next experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory, time and cost are shown before it starts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at your own data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop a file on the window to see rows, problems and tokens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The engine on %1 is of another version than this window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Update the older of the two, then try again. The runs of that engine are not touched.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>wrong token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The engine on %1 did not accept the token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run “assay engine token” on that machine and give its output as ASSAY_TOKEN, or attach through ssh.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The engine of this machine does not run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again to start it; if it ends at once, its last words are below.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unreachable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 cannot be reached.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the address, the network and that an engine runs there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>disk full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The disk of the store on %1 is full.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free some space, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The engine was stopped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs that were active go on; the queue waits until it is started again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bad address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is not the address of an engine.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another one on the Engines page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The link to the engine on %1 was given up.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again, or choose another engine.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Live</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The engine answers, but cannot list its runs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reconnecting, stale since %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reconnecting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The link to %1 is lost; what you see is from %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs go on without this window. It tries again by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Closed: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hint: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The engine is not connected.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 did not work for “%2”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 did not work for %2 of %3 runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run is done.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run failed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run was interrupted and can be resumed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About Assay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measures what ways to make language models cheaper save, and what they cost in accuracy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Protocol level</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Licence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pages, in the order of the rail</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From control to control</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opens the chosen row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copies the chosen rows of a table, or its curve from a chart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Closes what floats above the page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the chart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chart was not saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the chart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save as PNG…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save as SVG…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vector graphic (*.svg)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save as PDF…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the data as CSV…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as a picture</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::charts::BarChart</name>
    <message>
        <source>Nothing measured yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Histogram of %n bin(s)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%n group(s) of bars</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::charts::LineChart</name>
    <message>
        <source>%n value(s) ≤ 0 left out on the logarithmic axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>smoothing %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%n curve(s)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no finite value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>last %1 at %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%n not finite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and %n more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to show yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every value is ≤ 0, which a logarithmic axis cannot show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No finite value: all %n are NaN or infinite</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::charts::ParallelChart</name>
    <message>
        <source>Nothing to compare yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>less is better</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>more is better</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%n line(s)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%n inside the brushes</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::charts::ScatterChart</name>
    <message>
        <source>Nothing to compare yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%n set-up(s) without a cost and an accuracy that could be drawn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%n set-up(s)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and %n more</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::models</name>
    <message>
        <source>%1 h %2 min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 d %2 h</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>just now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 min ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>today %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>yesterday %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::models::RunTableModel</name>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Baseline: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::pages::EngineRow</name>
    <message>
        <source>started with the window when needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attach</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::pages::EnginesPage</name>
    <message>
        <source>Engines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An engine works on the queue of one machine and keeps its runs. The window can be attached to one at a time; runs go on without it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Known engines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Protocol level</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Store</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Up for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Active runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asking %1…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::pages::HomePage</name>
    <message>
        <source>Home</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run the demo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No run yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for the engine…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in the store</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n core(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Memory used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs and results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other files on the disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU in use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none; runs use the CPU</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::pages::RunProgressRow</name>
    <message>
        <source>Stop and save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take off the queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::pages::SettingsPage</name>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to defaults</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::presenters::EnginesPresenter</name>
    <message>
        <source>Write an address, e.g. ssh://gpu-box.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This machine&apos;s engine is in the list already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The engine cannot be added</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was forgotten</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its runs are not touched.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The window cannot be attached</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Assay %1 answers; protocol level %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The engine cannot be stopped</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::presenters::HomePresenter</name>
    <message>
        <source>The demo cannot be started</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run cannot be stopped</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::presenters::MachineWatch</name>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 running, %2 waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 running</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::presenters::PalettePresenter</name>
    <message>
        <source>Page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run, %1, %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::presenters::RunsPresenter</name>
    <message>
        <source>Select the runs to stop.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None of the selected runs is active.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select the runs to resume.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only interrupted, cancelled and failed runs can be resumed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select the runs to delete.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Active runs must be stopped first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select at least two runs to compare.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resuming</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) deleted</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n active run(s) were kept: stop them first.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deleting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::presenters::Settings</name>
    <message>
        <source>The settings could not be read and were set aside as %1; defaults apply.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::presenters::SettingsPresenter</name>
    <message>
        <source>Write a number from 0 to 1,000,000, e.g. 0.08.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs, checkpoints and results</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Downloaded models and texts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings are back to their defaults</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::shell::CommandPalette</name>
    <message>
        <source>Commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Command, page or run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type a command, a page or the name of a run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Searching runs…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing has this name</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::shell::LinkBanner</name>
    <message>
        <source>Details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::shell::MainWindow</name>
    <message>
        <source>Settings were reset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no page “%1”</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Assay cannot open %n file(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Datasets are text, JSONL or CSV; experiments are .yaml; models are .gguf or a folder with config.json.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From data to comparison, top to bottom. Ctrl+1 to Ctrl+9 open them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run the demo: it trains a small model, makes cheaper versions of it and measures what they save and lose.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everything by name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+K finds every command, page and run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs go on without the window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An engine in the background works on the queue. Its state, and that of its machine, stands here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Commands, pages and runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forward</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export what this page shows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show or hide the inspector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show or hide the names of pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Theme of the desktop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language: English or 简体中文</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Notices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connect to the engine again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About Assay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the window; runs go on</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::shell::NavRail</name>
    <message>
        <source>Pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show names of pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide names of pages</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::shell::NoticeList</name>
    <message>
        <source>Notices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1, %n times</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing has happened yet that you need to know.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::shell::NoticeView</name>
    <message>
        <source>Details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close this notice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::shell::PageHost</name>
    <message>
        <source>Inspector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the inspector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close (Ctrl+I shows it again)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::shell::StatusBar</name>
    <message>
        <source>State of the engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language: English or 简体中文</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl K  commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every action, page and run by name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the Engines page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory used on the engine&apos;s machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The store takes %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Notices, %n new</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Notices</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::shell::Tour</name>
    <message>
        <source>Tour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Skip the tour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::widgets::BarPlot</name>
    <message>
        <source>Bars</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::widgets::ErrorPanel</name>
    <message>
        <source>Technical details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::widgets::LinePlot</name>
    <message>
        <source>Curves</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::widgets::LogView</name>
    <message>
        <source>Log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search the log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search the log (Enter: next, Shift+Enter: previous)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::widgets::Meter</name>
    <message>
        <source>Shares</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::widgets::ParallelPlot</name>
    <message>
        <source>Parallel axes</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::widgets::ProgressLine</name>
    <message>
        <source>Progress</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::widgets::RemoteDialog</name>
    <message>
        <source>Folder above</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder above (Alt+Up)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Path on the engine&apos;s machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read again (F5)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folders on the way</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files and folders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show hidden files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+H</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder could not be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only hidden files here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This folder is empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n hidden</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Go to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose this folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose “%1”</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::widgets::ScatterPlot</name>
    <message>
        <source>Cost against accuracy</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::widgets::TableView</name>
    <message>
        <source>Fit widths</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Columns</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::widgets::TokenView</name>
    <message>
        <source>Tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n tokens, %1 carry loss</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Token %1 at position %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Control token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>carries loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>read only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A new document begins here</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>assay::widgets::YamlEditor</name>
    <message>
        <source>YAML</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>metric</name>
    <message>
        <source>Training loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training throughput</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held-out loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Held-out perplexity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Process memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak tensor memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak GPU memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Power</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Energy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for data</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>pages</name>
    <message>
        <source>Home</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>run</name>
    <message>
        <source>queued</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>starting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopping</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prepare data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>train</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>evaluate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>quantize</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>benchmark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>generate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>claim</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pipeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>preparing data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>evaluating</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>saving</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>quantizing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>benchmarking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ID</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Status</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reason</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Part of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Role</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tags</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Created</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Started</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Duration</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attempt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fork of</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>widgets</name>
    <message>
        <source>Add an engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address: ssh://[user@]host for a machine that you reach by ssh, or ws://host:port.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address of an engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add and attach</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attached</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start the engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Active runs go on; the queue waits until the engine is started again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Detach</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the engine of this machine; the other one goes on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set up another machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1.  Build or copy Assay there, so that its folder bin holds assay, assay-engine and assay-worker.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>2.  Put that folder on the PATH that ssh sees, or name the program in ASSAY_REMOTE_PROGRAM.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>3.  Check from here that it answers:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>4.  Add ssh://HOST above. The engine is started over there when it does not run, and its port stays closed to the network: everything goes through ssh.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What do your models cost, and what would cheaper ones lose?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The demo trains a small language model on this machine, makes 16-, 8- and 4-bit versions of it, and measures size, speed and accuracy of each. It takes a few minutes on two cores and needs no network.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run the demo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a dataset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Running and waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recent runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Status</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Created</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No run yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language of the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes in powers of ten (1 GB = 1,000,000,000 bytes), tokens per second, US dollars.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Units</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Used for new experiments and where a run names no price. Runs keep the price they were started with.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Price of a machine hour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>USD per hour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Typical: 0.05 to 0.20 for a small server, 1 to 4 for one GPU.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Price of electricity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>USD per kWh</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Typical: 0.10 to 0.40. Used where energy is measured.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Places</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder of reports</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reports and exports</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs, their curves, logs and results are kept until you delete the run on the Queue &amp; runs page. Checkpoints are kept as the experiment says (train.checkpoint.keep). Nothing leaves this machine.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
