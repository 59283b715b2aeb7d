#include "core/model/generated_text.h"

#include <algorithm>

#include "core/base/random.h"

#include <cmath>
#include <cstddef>
#include <map>
#include <string_view>

namespace attnscope {

namespace {

using Words = std::vector<std::string_view>;

/// The first half are "she".
const Words names{"Mia",  "Ann",  "Eva",  "Lily",  "Rosa",  "Nora",  "Ida",   "Clara", "Ella",  "Ruth",  "Vera",
                  "Anna", "Lena", "Maya", "Zoe",   "Ada",   "Emma",  "Jane",  "Kate",  "Lucy",  "Mary",  "Olga",
                  "Sara", "Tina", "Uma",  "Wanda", "Iris",  "Flora", "Greta", "Hanna", "Julia", "Paula", "Tom",
                  "Ben",  "Max",  "Leo",  "Jack",  "Paul",  "Sam",   "Tim",   "Dan",   "Karl",  "Otto",  "Hugo",
                  "Ivan", "Luke", "Mark", "Nick",  "Oscar", "Peter", "Rob",   "Simon", "Theo",  "Ulf",   "Victor",
                  "Will", "Adam", "Bill", "Carl",  "David", "Eric",  "Frank", "Gus",   "Henry"};
const Words nicknames{"Wolf",  "Star",  "Moon",  "Bear", "Fox",   "Owl",   "Rain",  "Snow",  "Storm", "River",
                      "Stone", "Oak",   "Pine",  "Rose", "Lark",  "Swan",  "Hawk",  "Crow",  "Deer",  "Hare",
                      "Bee",   "Ant",   "Fish",  "Frog", "Leaf",  "Root",  "Sand",  "Salt",  "Gold",  "Iron",
                      "Silk",  "Wool",  "Bread", "Corn", "Plum",  "Pear",  "Nut",   "Bean",  "Drum",  "Harp",
                      "Horn",  "Flute", "King",  "Duke", "Pilot", "Giant", "Ghost", "Shadow"};
const Words places{"mill",   "river", "bridge", "barn", "forest", "well",  "church", "market",
                   "school", "hill",  "garden", "lake", "inn",    "tower", "gate",   "field"};
const Words things{"bell", "lamp", "key",  "book", "ring",   "coin",   "boat", "map",
                   "cup",  "hat",  "rope", "box",  "mirror", "candle", "shoe", "letter"};
const Words kinds{"small", "old", "red", "green", "silver", "broken", "heavy", "strange"};
const Words animals{"goat", "horse", "duck", "cat", "dog", "pig", "hen", "cow"};
const Words actions{"slept", "ran away", "sang", "ate an apple", "looked up", "said nothing", "followed", "danced"};
const Words deeds{"found", "lost", "sold", "painted", "carried", "hid", "cleaned", "bought"};
const Words moods{"happy", "tired", "sad", "hungry", "proud", "afraid", "calm", "angry"};
const Words weathers{"sunny", "cold", "windy", "quiet", "dark", "warm", "long", "grey"};
const Words where{"near", "behind", "in front of", "beside"};

constexpr std::uint64_t farthestStory = 64;

/// The story of one number on its way into the text.
class StoryTeller {
public:
    explicit StoryTeller(std::uint64_t seed) : m_draws(seed, Stream::Other), m_orders(seed, Stream::Structure) {}

    void tell(std::uint64_t story, GeneratedText& text)
    {
        m_story = story, m_column = 0;
        m_text = &text;
        const std::size_t person = personOf(story);
        m_pronoun = person < names.size() / 2 ? "She" : "He";
        if (chance(0.5))
            say("There was a " + word(kinds) + " house " + word(where) + " the " + word(places) + ". " +
                std::string(names[person]) + " lived there. ");
        else
            say(std::string(names[person]) + " lived " + word(where) + " the " + word(places) + ". ");
        fill(draw(2));
        say("People called " + std::string(names[person]));
        m_told[story] = static_cast<std::int64_t>(text.text.size());
        say(" " + std::string(nicknameOf(story)) + ". ");
        fill(1 + draw(4));
        ask(story, "Good day, ", ", said the " + word(animals) + ". ");
        if (chance(0.6)) {
            fill(draw(3));
            ask(other(), std::string(m_pronoun) + " met ", ". ");
        }
        fill(draw(2));
        text.text.back() = '\n';
    }

private:
    std::size_t draw(std::size_t choices)
    {
        return static_cast<std::size_t>(m_draws.uniform(m_story, m_column++) * static_cast<double>(choices));
    }
    bool chance(double p) { return m_draws.uniform(m_story, m_column++) < p; }
    std::string word(const Words& words) { return std::string(words[draw(words.size())]); }
    void say(const std::string& words) { m_text->text += words; }

    /// Everybody comes once in as many stories as there are names, in an order of its own each time.
    std::size_t personOf(std::uint64_t story)
    {
        const std::uint64_t round = story / names.size();
        if (m_round != round || m_order.empty()) {
            m_order.resize(names.size());
            for (std::size_t i = 0; i < m_order.size(); ++i) {
                const std::size_t j = static_cast<std::size_t>(m_orders.uniform(round, i) * static_cast<double>(i + 1));
                m_order[i] = m_order[j];
                m_order[j] = i;
            }
            m_round = round;
        }
        return m_order[story % names.size()];
    }
    std::string_view nicknameOf(std::uint64_t story) const
    {
        constexpr std::uint64_t column = 1'000'000;  // apart from what draw() takes
        return nicknames[static_cast<std::size_t>(m_draws.uniform(story, column) *
                                                  static_cast<double>(nicknames.size()))];
    }

    /// The story before this one by 1 to 64, evenly over the logarithm; of its person's stories the last.
    std::uint64_t other()
    {
        const double back =
            std::exp(m_draws.uniform(m_story, m_column++) * std::log(static_cast<double>(farthestStory)));
        std::uint64_t story = m_story - std::min<std::uint64_t>(static_cast<std::uint64_t>(back), m_story);
        const std::size_t person = personOf(story);
        for (std::uint64_t later = story + 1; later <= m_story; ++later)
            if (personOf(later) == person)
                story = later;
        return story;
    }

    void ask(std::uint64_t story, const std::string& before, const std::string& after)
    {
        say(before + std::string(names[personOf(story)]));
        const auto begin = static_cast<std::int64_t>(m_text->text.size());
        say(" " + std::string(nicknameOf(story)));
        m_text->answers.push_back({begin, static_cast<std::int64_t>(m_text->text.size()), m_told.at(story)});
        say(after);
    }

    void fill(std::size_t sentences)
    {
        for (std::size_t i = 0; i < sentences; ++i)
            switch (draw(5)) {
            case 0:
                say(std::string(m_pronoun) + " " + word(deeds) + " a " + word(kinds) + " " + word(things) + ". ");
                break;
            case 1: {
                const std::string animal = word(animals);
                say(std::string(m_pronoun) + " saw a " + animal + ". The " + animal + " " + word(actions) + ". ");
                break;
            }
            case 2:
                say("It was a " + word(weathers) + " day. ");
                break;
            case 3:
                say(std::string(m_pronoun) + " was " + word(moods) + ". ");
                break;
            case 4: {
                const std::string thing = word(things);
                say(std::string(m_pronoun) + " put the " + thing + " " + word(where) + " the " + word(places) +
                    ". Then the " + thing + " was gone. ");
                break;
            }
            }
    }

    Random m_draws, m_orders;
    std::uint64_t m_story = 0, m_column = 0, m_round = 0;
    std::vector<std::size_t> m_order;
    std::string_view m_pronoun;
    std::map<std::uint64_t, std::int64_t> m_told;
    GeneratedText* m_text = nullptr;
};

}  // namespace

GeneratedText generatedText(std::uint64_t seed, std::int64_t bytes, const std::stop_token& stop)
{
    GeneratedText text;
    StoryTeller teller(seed);
    for (std::uint64_t story = 0; static_cast<std::int64_t>(text.text.size()) < bytes && !stop.stop_requested();
         ++story)
        teller.tell(story, text);
    return text;
}

std::string testText(double tokens)
{
    constexpr double bytesOfToken = 6, most = 1 << 28;
    return generatedText(testTextSeed, static_cast<std::int64_t>(std::min(bytesOfToken * tokens, most))).text;
}

}  // namespace attnscope
