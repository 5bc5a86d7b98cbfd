package org.upcard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the README shows can be compiled, and its table of names is complete. */
class ReadmeTest {
  private static final Pattern PROGRAM = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final Pattern FIRST_COLUMN = Pattern.compile("(?m)^\\| (`.*?`) \\|");
  private static final Pattern NAME = Pattern.compile("`(\\w+)");

  private static String readme() throws IOException {
    return Files.readString(Path.of("README.md"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"MyBot", "ByKind"})
  void theBotsShownAreCompiledWithTheTests(String name) throws IOException {
    String compiled = Files.readString(Path.of("src/test/java/mybot", name + ".java"));
    String shown =
        PROGRAM
            .matcher(readme())
            .results()
            .map(block -> block.group(1))
            .filter(block -> block.contains(name))
            .findFirst()
            .orElseThrow();
    assertTrue(compiled.endsWith(shown), shown);
  }

  @Test
  void theTableOfNamesIsThatOfAView() throws IOException {
    String section = readme().split("## The view")[1].split("\n## ")[0];
    Set<String> listed =
        FIRST_COLUMN
            .matcher(section)
            .results()
            .flatMap(row -> NAME.matcher(row.group(1)).results())
            .map((MatchResult name) -> name.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> names =
        Arrays.stream(View.class.getDeclaredMethods())
            .filter(method -> Modifier.isPublic(method.getModifiers()))
            .map(Method::getName)
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(names, listed);
  }
}
