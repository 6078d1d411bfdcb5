// What data.clean leaves out beside duplicates: documents of other languages, training documents of a separate evaluation file.
#include <assay/config/schema.h>

#include "prepare/language.h"
#include "prepare_support.h"

namespace assay::data {
namespace {

// First sentences of article 1 of the Universal Declaration of Human Rights, and everyday ones.
TEST(Language, SentencesOfEachLanguage) {
    const std::pair<const char*, const char*> kSentences[] = {
        {"en", "All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience."},
        {"de", "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt."},
        {"fr", "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de conscience."},
        {"es", "Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están de razón y conciencia."},
        {"it", "Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti. Essi sono dotati di ragione e di coscienza."},
        {"pt", "Todos os seres humanos nascem livres e iguais em dignidade e em direitos. Dotados de razão e de consciência."},
        {"nl", "Alle mensen worden vrij en gelijk in waardigheid en rechten geboren. Zij zijn begiftigd met verstand en geweten."},
        {"sv", "Alla människor är födda fria och lika i värde och rättigheter. De är utrustade med förnuft och samvete."},
        {"da", "Alle mennesker er født frie og lige i værdighed og rettigheder. De er udstyret med fornuft og samvittighed."},
        {"pl", "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni rozumem i sumieniem."},
        {"cs", "Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv. Jsou nadáni rozumem a svědomím."},
        {"hu", "Minden emberi lény szabadon születik és egyenlő méltósága és joga van. Az emberek, ésszel és lelkiismerettel bírván."},
        {"fi", "Kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan ja oikeuksiltaan. Heille on annettu järki ja omatunto."},
        {"tr", "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler."},
        {"vi", "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền. Mọi con người đều được tạo hóa ban cho."},
        {"id", "Semua orang dilahirkan merdeka dan mempunyai martabat dan hak-hak yang sama. Mereka dikaruniai akal dan hati nurani."},
        {"ro", "Toate ființele umane se nasc libere și egale în demnitate și în drepturi. Ele sunt înzestrate cu rațiune și conștiință."},
        {"ru", "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью."},
        {"uk", "Всі люди народжуються вільними і рівними у своїй гідності та правах. Вони наділені розумом і совістю."},
        {"el", "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα."},
        {"he", "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם"},
        {"ar", "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق"},
        {"th", "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ"},
        {"ko", "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다"},
        {"ja", "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。"},
        {"zh", "人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心"},
        {"other", "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता प्राप्त है"}};
    for (const auto& [code, text] : kSentences) EXPECT_STREQ(languageCode(identifyLanguage(text).language), code) << text;
    EXPECT_STREQ(languageCode(identifyLanguage("ALL HUMAN BEINGS ARE BORN FREE AND EQUAL").language), "en");  // case is nothing
}

TEST(Language, ExperimentFilesOfferExactlyWhatIsKnown) {
    const config::KeyInfo* key = config::keyInfo("data.clean.languages");
    ASSERT_TRUE(key);
    std::string offered(key->choices), known;
    for (int language = 0; std::string_view(languageCode(language)) != "other"; ++language) known += (known.empty() ? "" : "|") + std::string(languageCode(language));
    EXPECT_EQ(offered, known);
}

TEST(Language, ShortOrMixedTextIsUnknown) {
    for (const char* text : {"", "ok", "12345 67890 (42)", "\xF0\x9F\x98\x80\xF0\x9F\x98\x80\xF0\x9F\x98\x80", "x = y + z"}) EXPECT_EQ(identifyLanguage(text).language, kUnknownLanguage) << text;
    // Four scripts, none of which has half of the letters.
    EXPECT_EQ(identifyLanguage("the quick brown быстрая лиса γρήγορη αλεπού שועל חום מהיר").language, kUnknownLanguage);
}

TEST(Language, HostileTextIsFast) {
    std::string text;
    for (int i = 0; i < 3'000'000; ++i) text += 'q';
    EXPECT_LT(identifyLanguage(text).margin, 1e9);
    EXPECT_EQ(identifyLanguage(std::string(1'000'000, '\xFF')).language, kUnknownLanguage);
    EXPECT_EQ(identifyLanguage(std::string(1'000'000, '\0')).language, kUnknownLanguage);
}

TEST(Clean, OtherLanguagesAreLeftOutAndCounted) {
    TempFolder folder;
    auto spec = bytesSpec(folder.write("a.txt",
                                       "The cat sat on the mat and looked at the rain outside.\n"
                                       "Die Katze sitzt auf der Matte und schaut in den Regen hinaus.\n"
                                       "Le chat est assis sur le tapis et regarde la pluie dehors.\n"
                                       "ok 42\n"
                                       "Der Hund schläft heute den ganzen Tag unter dem Tisch in der Küche.\n"
                                       "猫は雨の日に窓のそばで静かに眠っています。\n"),
                          64);
    spec.languages = {"en", "fr"};
    const auto report = prepared(spec, cacheIn(folder));
    EXPECT_EQ(report.documents, 3);  // English, French, and what is too short to tell
    EXPECT_EQ(report.dropped, (std::map<std::string, int64_t>{{"language_de", 2}, {"language_ja", 1}}));
    bool unknown = false;
    for (const Json& p : report.problems)
        if (p["reason"] == "language_unknown") {
            unknown = true;
            EXPECT_EQ(p["row"], 4);
            EXPECT_EQ(p["count"], 1);
            EXPECT_EQ(p["dropped"], false);
        }
    EXPECT_TRUE(unknown);
    spec.languages = {};
    EXPECT_EQ(prepared(spec, cacheIn(folder)).documents, 6);  // another cache
}

std::string text(int from, int to) {
    std::string out;
    for (int i = from; i < to; ++i) out += "w" + std::to_string(i) + " ";
    return out;
}

TEST(Clean, TrainingRowsOfTheEvaluationFileAreRemoved) {
    TempFolder folder;
    // Rows 2 and 4 equal held-out ones; row 3 is nearly one (J = 186/206 = 0.90); row 5 equals row 1.
    auto spec = bytesSpec(folder.write("train.txt", text(0, 30) + "\n" + text(100, 300) + "\n" + text(110, 310) + "\n" + text(500, 530) + "\n" + text(0, 30) + "\n"), 64);
    spec.eval = spec.train[0];
    // As JSON rows: what is compared is the text, not the file.
    spec.eval->path = folder.write("eval.jsonl", "{\"text\":\"" + text(100, 300) + "\"}\n{\"text\":\"" + text(500, 530) + "\"}\n");
    const auto with = [&](config::Deduplicate how, config::Contamination what) {
        spec.deduplicate = how;
        spec.contamination = what;
        auto report = prepared(spec, cacheIn(folder));
        EXPECT_EQ(report.evalDocuments, 2);
        return report;
    };
    using Counts = std::map<std::string, int64_t>;
    const auto told = [](const PrepareReport& report, const char* reason) {
        for (const Json& p : report.problems)
            if (p["reason"] == reason && p["dropped"] == false) return p["count"].get<int64_t>();
        return int64_t{0};
    };
    using enum config::Deduplicate;
    using enum config::Contamination;
    auto report = with(kNone, kRemove);
    EXPECT_EQ(report.documents, 3);
    EXPECT_EQ(report.dropped, (Counts{{"in_eval", 2}}));
    report = with(kExact, kRemove);
    EXPECT_EQ(report.documents, 2);
    EXPECT_EQ(report.dropped, (Counts{{"in_eval", 2}, {"duplicate", 1}}));
    report = with(kNear, kRemove);
    EXPECT_EQ(report.documents, 1);
    EXPECT_EQ(report.dropped, (Counts{{"in_eval", 2}, {"near_in_eval", 1}, {"duplicate", 1}}));
    report = with(kNone, kKeep);
    EXPECT_EQ(report.documents, 5);
    EXPECT_EQ(report.dropped, Counts{});
    EXPECT_EQ(told(report, "in_eval"), 2);
    report = with(kNear, kKeep);
    EXPECT_EQ(told(report, "in_eval"), 2);
    EXPECT_EQ(told(report, "near_in_eval"), 1);
    EXPECT_EQ(report.dropped, (Counts{{"near_duplicate", 1}, {"duplicate", 1}}));  // row 3 is like row 2, row 5 equals row 1

    // Only the held-out share of the file counts: its first row is not in it.
    spec.eval->split = {config::SplitRule::Kind::kLast, 50};
    spec.deduplicate = kNone;
    spec.contamination = kRemove;
    report = prepared(spec, cacheIn(folder));
    EXPECT_EQ(report.evalDocuments, 1);
    EXPECT_EQ(report.dropped, (Counts{{"in_eval", 1}}));
}

TEST(Clean, AllOfTheTrainingDataHeldOut) {
    TempFolder folder;
    auto spec = bytesSpec(folder.write("train.txt", "one\ntwo\n"), 64);
    spec.eval = spec.train[0];
    spec.eval->path = folder.write("eval.txt", "two\none\n");
    auto report = prepareDataset(spec, cacheIn(folder));
    ASSERT_FALSE(report);
    EXPECT_NE(report.error().text().find("in_eval"), std::string::npos) << report.error().text();
}

}  // namespace
}  // namespace assay::data
