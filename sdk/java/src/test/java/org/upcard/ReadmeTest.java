package org.upcard;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the README shows can be compiled and is a new bot's, and its table of names is complete. */
class ReadmeTest {
  private static final Path TEMPLATE = Path.of("template");
  private static final Pattern MAIN_CLASS = Pattern.compile("<mainClass>(.*?)</mainClass>");
  private static final Pattern FIRST_COLUMN = Pattern.compile("(?m)^\\| (`.*?`) \\|");
  private static final Pattern NAME = Pattern.compile("`(\\w+)");

  private static String readme() throws IOException {
    return Files.readString(Path.of("README.md"));
  }

  /** What is shown in a language. */
  private static List<String> blocks(String language) throws IOException {
    return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
        .matcher(readme())
        .results()
        .map(block -> block.group(1))
        .toList();
  }

  private static String mainClass(String text) {
    return MAIN_CLASS.matcher(text).results().findFirst().orElseThrow().group(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Player", "ByKind", "Reader", "AceTest"})
  void theBotsShownAreCompiledWithTheTests(String name) throws IOException {
    String compiled = Files.readString(Path.of("src/test/java/bot", name + ".java"));
    assertTrue(blocks("java").stream().anyMatch(compiled::endsWith), compiled);
  }

  @Test
  void theJarOfANewBotBeginsWithTheBotShown() throws IOException {
    String main = mainClass(Files.readString(TEMPLATE.resolve("pom.xml")));
    assertEquals(main, mainClass(readme()));
    assertDoesNotThrow(() -> Class.forName(main).getMethod("main", String[].class));
  }

  @Test
  void theBotShownStandsWhereThatOfANewBotDoes() throws IOException {
    String source = "src/main/java/" + mainClass(readme()).replace('.', '/') + ".java";
    assertTrue(Files.exists(TEMPLATE.resolve(source)), source);
    assertTrue(readme().contains("`" + source + "` decides"), source);
  }

  @Test
  void theManifestShownIsThatOfANewBot() throws IOException {
    assertEquals(List.of(Files.readString(TEMPLATE.resolve("bot.toml"))), blocks("toml"));
  }

  @Test
  void whatIsShownOfAProjectIsThatOfANewBot() throws IOException {
    String project = Files.readString(TEMPLATE.resolve("pom.xml")).replaceAll("(?m)^ +", "");
    for (String shown : blocks("xml")) {
      assertTrue(project.contains(shown.replaceAll("(?m)^ +", "")), shown);
    }
  }

  @Test
  void theTableOfNamesIsThatOfAView() throws IOException {
    assertTableOfNames("The view", View.class);
  }

  @Test
  void theTableOfNamesIsThatOfAViewOfAnyGame() throws IOException {
    assertTableOfNames("Any other game", RecycleView.class);
  }

  private static void assertTableOfNames(String heading, Class<?> view) throws IOException {
    String section = readme().split("\n## " + heading + "\n")[1].split("\n## ")[0];
    Set<String> listed =
        FIRST_COLUMN
            .matcher(section)
            .results()
            .flatMap(row -> NAME.matcher(row.group(1)).results())
            .map((MatchResult name) -> name.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> names =
        Arrays.stream(view.getDeclaredMethods())
            .filter(method -> Modifier.isPublic(method.getModifiers()))
            .map(Method::getName)
            .filter(name -> view == View.class || !name.equals("toString"))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(names, listed);
  }
}
