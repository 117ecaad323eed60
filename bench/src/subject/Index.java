import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.store.ByteBuffersDirectory;

/** Lucene on sources, into memory, on one thread. */
public class Index {
    static void add(IndexWriter writer, Path file) throws Exception {
        Document document = new Document();
        document.add(new TextField("contents", Files.newBufferedReader(file)));
        writer.addDocument(document);
    }

    static int run(List<Path> files) throws Exception {
        Plant.begin();
        IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer());
        config.setMergeScheduler(new SerialMergeScheduler());
        int item = 0;
        try (IndexWriter writer = new IndexWriter(new ByteBuffersDirectory(), config)) {
            for (Path file : files) {
                add(writer, file);
                Plant.item(item++);
            }
        }
        Plant.end();
        return item;
    }

    public static void main(String[] args) throws Exception {
        try (Stream<Path> all = Files.walk(Paths.get(args[0]))) {
            List<Path> files = all.filter(it -> it.toString().endsWith(".java")).sorted()
                    .limit(Integer.parseInt(args[1])).collect(Collectors.toList());
            System.out.println(run(files));
        }
    }
}
