import eu.europa.esig.dss.enumerations.SubIndication;
import eu.europa.esig.dss.model.DSSDocument;
import eu.europa.esig.dss.model.FileDocument;
import eu.europa.esig.dss.simplereport.SimpleReport;
import eu.europa.esig.dss.spi.DSSUtils;
import eu.europa.esig.dss.spi.validation.CommonCertificateVerifier;
import eu.europa.esig.dss.spi.x509.CommonTrustedCertificateSource;
import eu.europa.esig.dss.validation.SignedDocumentValidator;
import eu.europa.esig.dss.validation.reports.Reports;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Validates every PDF of a folder, offline, as of a moment, with one trusted certificate. Prints JSON. */
public final class Judge {
  private static final int SECONDS_PER_FILE = 60;
  private final CommonTrustedCertificateSource trusted = new CommonTrustedCertificateSource();
  private final Date validationTime;

  private Judge(File root, Instant time) {
    trusted.addCertificate(DSSUtils.loadCertificate(root));
    validationTime = Date.from(time);
  }

  public static void main(String[] arguments) throws IOException {
    PrintStream answer = System.out;
    // Whatever a library prints on the way is not part of the answer.
    System.setOut(System.err);
    if (arguments[0].equals("--version")) {
      answer.println(version());
      return;
    }
    Judge judge = new Judge(new File(arguments[1]), Instant.parse(arguments[2]));
    File[] files = new File(arguments[0]).listFiles((folder, name) -> name.endsWith(".pdf"));
    Arrays.sort(files);
    List<String> judged = new ArrayList<>();
    for (File file : files) judged.add(quote(file.getName()) + ":" + judge.judge(file));
    answer.println("{\"tool\":\"EU DSS\",\"version\":" + quote(version()) + ",\"files\":{" + String.join(",\n", judged) + "}}");
  }

  /** Drawing and comparing the pages of one document can take hours; the other files are waiting. */
  private String judge(File file) {
    FutureTask<String> task = new FutureTask<>(() -> describe(validate(new FileDocument(file))));
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
    try {
      return task.get(SECONDS_PER_FILE, TimeUnit.SECONDS);
    } catch (ExecutionException error) {
      return error(String.valueOf(error.getCause()));
    } catch (TimeoutException | InterruptedException error) {
      return error("no answer within " + SECONDS_PER_FILE + " seconds");
    }
  }

  private static String error(String text) {
    return "{\"error\":" + quote(text) + "}";
  }

  private Reports validate(DSSDocument document) {
    CommonCertificateVerifier verifier = new CommonCertificateVerifier();
    verifier.setTrustedCertSources(trusted);
    verifier.setAIASource(null);
    verifier.setOcspSource(null);
    verifier.setCrlSource(null);
    SignedDocumentValidator validator = SignedDocumentValidator.fromDocument(document);
    validator.setCertificateVerifier(verifier);
    validator.setValidationTime(validationTime);
    return validator.validateDocument();
  }

  private static String describe(Reports reports) {
    SimpleReport report = reports.getSimpleReport();
    List<String> signatures = new ArrayList<>();
    for (String id : report.getSignatureIdList()) {
      String field = quote(reports.getDiagnosticData().getSignatureById(id).getFirstFieldName());
      String format = quote(String.valueOf(report.getSignatureFormat(id)));
      signatures.add("{\"field\":" + field + ",\"format\":" + format + "," + indication(report, id) + "," + changes(reports, id) + "}");
    }
    List<String> timestamps = new ArrayList<>();
    for (String id : reports.getDiagnosticData().getTimestampIdList()) {
      String type = quote(String.valueOf(reports.getDiagnosticData().getTimestampById(id).getType()));
      timestamps.add("{\"type\":" + type + "," + indication(report, id) + "}");
    }
    return "{\"signatures\":[" + String.join(",", signatures) + "],\"timestamps\":[" + String.join(",", timestamps) + "]}";
  }

  private static String indication(SimpleReport report, String id) {
    SubIndication sub = report.getSubIndication(id);
    return "\"indication\":" + quote(String.valueOf(report.getIndication(id)))
        + ",\"subIndication\":" + (sub == null ? "null" : quote(sub.toString()));
  }

  /** The warnings say whether DSS saw changes after a signature that it cannot explain. */
  private static String changes(Reports reports, String id) {
    List<String> messages = new ArrayList<>();
    reports.getSimpleReport().getAdESValidationErrors(id).forEach(message -> messages.add(quote(message.getValue())));
    List<String> warnings = new ArrayList<>();
    reports.getSimpleReport().getAdESValidationWarnings(id).forEach(message -> warnings.add(quote(message.getValue())));
    return "\"errors\":[" + String.join(",", messages) + "],\"warnings\":[" + String.join(",", warnings) + "]";
  }

  private static String version() throws IOException {
    String path = "/META-INF/maven/eu.europa.ec.joinup.sd-dss/dss-pades/pom.properties";
    try (InputStream stream = Judge.class.getResourceAsStream(path)) {
      Properties properties = new Properties();
      if (stream != null) properties.load(stream);
      return properties.getProperty("version", "unknown");
    }
  }

  private static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char character : text.toCharArray()) {
      if (character == '"' || character == '\\') quoted.append('\\').append(character);
      else if (character < 0x20) quoted.append(String.format("\\u%04x", (int) character));
      else quoted.append(character);
    }
    return quoted.append('"').toString();
  }
}
