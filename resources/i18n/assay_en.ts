<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>QObject</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 and %n more</numerusform>
            <numerusform>%1 and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %Ln point(s)</source>
        <translation>
            <numerusform>%1, %Ln point</numerusform>
            <numerusform>%1, %Ln points</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>assay::pages::AnswerCard</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>assay::pages::BenchmarkPage</name>
    <message numerus="yes">
        <source>%n measurement(s), and one of each to warm up</source>
        <translation>
            <numerusform>%n measurement, and one to warm up</numerusform>
            <numerusform>%n measurements, and one of each to warm up</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>assay::pages::ComparePage</name>
    <message numerus="yes">
        <source>and %n more; all are in the exported report</source>
        <translation>
            <numerusform>and %n more; all are in the exported report</numerusform>
            <numerusform>and %n more; all are in the exported report</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>assay::pages::ConfigView</name>
    <message numerus="yes">
        <source>%n setting(s)</source>
        <translation>
            <numerusform>%n setting</numerusform>
            <numerusform>%n settings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>assay::pages::HomePage</name>
    <message numerus="yes">
        <source>%n core(s)</source>
        <translation>
            <numerusform>%n core</numerusform>
            <numerusform>%n cores</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>assay::pages::OutputCard</name>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n prompt token(s)</source>
        <translation>
            <numerusform>%n prompt token</numerusform>
            <numerusform>%n prompt tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>assay::pages::PlanCard</name>
    <message numerus="yes">
        <source>And %n more.</source>
        <translation>
            <numerusform>And %n more.</numerusform>
            <numerusform>And %n more.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>assay::pages::RowsCard</name>
    <message numerus="yes">
        <source>%Ln row(s)</source>
        <translation>
            <numerusform>%Ln row</numerusform>
            <numerusform>%Ln rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) contain it</source>
        <translation>
            <numerusform>%Ln row contains it</numerusform>
            <numerusform>%Ln rows contain it</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>assay::pages::RunsPage</name>
    <message numerus="yes">
        <source>%Ln run(s)</source>
        <translation>
            <numerusform>%Ln run</numerusform>
            <numerusform>%Ln runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln run(s) shown of %1</source>
        <translation>
            <numerusform>%Ln run shown of %1</numerusform>
            <numerusform>%Ln runs shown of %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>assay::pages::ViewCard</name>
    <message numerus="yes">
        <source>%n documents, lines %1 to %2, apart from one another</source>
        <translation>
            <numerusform>%n document, lines %1 to %2</numerusform>
            <numerusform>%n documents, lines %1 to %2, apart from one another</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n documents, apart from one another</source>
        <translation>
            <numerusform>%n document</numerusform>
            <numerusform>%n documents, apart from one another</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>assay::presenters::BenchmarkPresenter</name>
    <message numerus="yes">
        <source>median of %n repeat(s), ± one standard deviation</source>
        <translation>
            <numerusform>median of %n repeat, ± one standard deviation</numerusform>
            <numerusform>median of %n repeats, ± one standard deviation</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation>
            <numerusform>%n thread</numerusform>
            <numerusform>%n threads</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>assay::presenters::ComparePresenter</name>
    <message numerus="yes">
        <source>%n set-up(s)</source>
        <translation>
            <numerusform>%n set-up</numerusform>
            <numerusform>%n set-ups</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation>
            <numerusform>%n thread</numerusform>
            <numerusform>%n threads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n repeat(s), taken in turn</source>
        <translation>
            <numerusform>%n repeat, taken in turn</numerusform>
            <numerusform>%n repeats, taken in turn</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>assay::presenters::RunPresenter</name>
    <message numerus="yes">
        <source>%n session(s) after a resume</source>
        <translation>
            <numerusform>%n session after a resume</numerusform>
            <numerusform>%n sessions after a resume</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln row(s) were dropped</source>
        <translation>
            <numerusform>%Ln row was dropped</numerusform>
            <numerusform>%Ln rows were dropped</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln step(s) were skipped: loss or gradient was not finite</source>
        <translation>
            <numerusform>%Ln step was skipped: loss or gradient was not finite</numerusform>
            <numerusform>%Ln steps were skipped: loss or gradient was not finite</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>assay::presenters::RunsPresenter</name>
    <message numerus="yes">
        <source>%n run(s) deleted</source>
        <translation>
            <numerusform>%n run deleted</numerusform>
            <numerusform>%n runs deleted</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n active run(s) were kept: stop them first.</source>
        <translation>
            <numerusform>%n active run was kept: stop it first.</numerusform>
            <numerusform>%n active runs were kept: stop them first.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>assay::presenters::TryPresenter</name>
    <message numerus="yes">
        <source>The first %n token(s) are the same, then the outputs differ.</source>
        <translation>
            <numerusform>The first token is the same, then the outputs differ.</numerusform>
            <numerusform>The first %n tokens are the same, then the outputs differ.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>assay::shell::MainWindow</name>
    <message numerus="yes">
        <source>Assay cannot open %n file(s)</source>
        <translation>
            <numerusform>Assay cannot open %n file</numerusform>
            <numerusform>Assay cannot open %n files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>assay::shell::NoticeList</name>
    <message numerus="yes">
        <source>%1, %n times</source>
        <translation>
            <numerusform>%1, once</numerusform>
            <numerusform>%1, %n times</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>assay::shell::StatusBar</name>
    <message numerus="yes">
        <source>Notices, %n new</source>
        <translation>
            <numerusform>Notices, %n new</numerusform>
            <numerusform>Notices, %n new</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>assay::widgets::RemoteDialog</name>
    <message numerus="yes">
        <source>%n hidden</source>
        <translation>
            <numerusform>%n hidden</numerusform>
            <numerusform>%n hidden</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>assay::widgets::TokenView</name>
    <message numerus="yes">
        <source>%n tokens, %1 carry loss</source>
        <translation>
            <numerusform>%n token, %1 carry loss</numerusform>
            <numerusform>%n tokens, %1 carry loss</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>charts</name>
    <message numerus="yes">
        <source>Histogram of %n bin(s)</source>
        <translation>
            <numerusform>Histogram of %n bin</numerusform>
            <numerusform>Histogram of %n bins</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n group(s) of bars</source>
        <translation>
            <numerusform>%n group of bars</numerusform>
            <numerusform>%n groups of bars</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n value(s) ≤ 0 left out on the logarithmic axis</source>
        <translation>
            <numerusform>%n value ≤ 0 left out on the logarithmic axis</numerusform>
            <numerusform>%n values ≤ 0 left out on the logarithmic axis</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n curve(s)</source>
        <translation>
            <numerusform>%n curve</numerusform>
            <numerusform>%n curves</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not finite</source>
        <translation>
            <numerusform>%n not finite</numerusform>
            <numerusform>%n not finite</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No finite value: all %n are NaN or infinite</source>
        <translation>
            <numerusform>No finite value: the only one is NaN or infinite</numerusform>
            <numerusform>No finite value: all %n are NaN or infinite</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n line(s)</source>
        <translation>
            <numerusform>%n line</numerusform>
            <numerusform>%n lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n inside the brushes</source>
        <translation>
            <numerusform>%n inside the brushes</numerusform>
            <numerusform>%n inside the brushes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n set-up(s) without a cost and an accuracy that could be drawn</source>
        <translation>
            <numerusform>%n set-up without a cost and an accuracy that could be drawn</numerusform>
            <numerusform>%n set-ups without a cost and an accuracy that could be drawn</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n set-up(s)</source>
        <translation>
            <numerusform>%n set-up</numerusform>
            <numerusform>%n set-ups</numerusform>
        </translation>
    </message>
</context>
</TS>
