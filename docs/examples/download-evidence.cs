// Saves the evidence of a finished request, and its history.
// usage: KEY=… dotnet run download-evidence.cs REQUEST-ID evidence.zip history.json
using System.Net;

var id = args[0];
var evidenceFile = args.ElementAtOrDefault(1) ?? "evidence.zip";
var historyFile = args.ElementAtOrDefault(2) ?? "history.json";
var address = Environment.GetEnvironmentVariable("API") ?? "http://127.0.0.1:8080";
using var http = new HttpClient { BaseAddress = new Uri(address) };
http.DefaultRequestHeaders.Add("Ocp-Apim-Subscription-Key", Environment.GetEnvironmentVariable("KEY"));

async Task Save(string path, string file)
{
    using var answer = await http.GetAsync(path, HttpCompletionOption.ResponseHeadersRead);
    if (answer.StatusCode == HttpStatusCode.NoContent)
        throw new Exception("There is no evidence before the request is Closed.");
    answer.EnsureSuccessStatusCode();
    await using var saved = File.Create(file);
    await answer.Content.CopyToAsync(saved);
}

await Save($"/signing/signaturerequest/{id}/evidence", evidenceFile);
await Save($"/event/signaturerequest/{id}/proof", historyFile);
Console.WriteLine($"Saved. Verify the history without any server: npx countersign history verify {historyFile}");
