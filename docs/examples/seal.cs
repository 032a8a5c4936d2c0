// Seals a PDF with the department's certificate, and saves the sealed file.
// usage: KEY=… dotnet run seal.cs invoice.pdf sealed.pdf
using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Text.Json;

var file = args.ElementAtOrDefault(0) ?? "invoice.pdf";
var sealedFile = args.ElementAtOrDefault(1) ?? "sealed.pdf";
var address = Environment.GetEnvironmentVariable("API") ?? "http://127.0.0.1:8080";
using var http = new HttpClient { BaseAddress = new Uri(address) };
http.DefaultRequestHeaders.Add("Ocp-Apim-Subscription-Key", Environment.GetEnvironmentVariable("KEY"));

async Task<JsonElement> Send(HttpMethod method, string path, HttpContent content)
{
    using var answer = await http.SendAsync(new HttpRequestMessage(method, path) { Content = content });
    if (!answer.IsSuccessStatusCode) throw new Exception(await answer.Content.ReadAsStringAsync());
    return await answer.Content.ReadFromJsonAsync<JsonElement>();
}

var pdf = new StreamContent(File.OpenRead(file));
pdf.Headers.ContentType = new MediaTypeHeaderValue("application/pdf");
var stored = await Send(HttpMethod.Post, "/storage/document?fileName=invoice.pdf", pdf);

var subject = JsonContent.Create(new { subject = "Invoice 4711" });
var request = await Send(HttpMethod.Post, "/sealing/sealingrequest", subject);
var id = request.GetProperty("id").GetString();
var document = JsonContent.Create(new { documentURI = stored.GetProperty("uri").GetString(), fileName = "invoice.pdf" });
await Send(HttpMethod.Post, $"/sealing/sealingrequest/{id}/document", document);
request = await Send(HttpMethod.Put, $"/sealing/sealingrequest/{id}", JsonContent.Create(new { status = "Open" }));

while (request.GetProperty("status").GetString() is var status && status != "Processed")
{
    if (status == "Error")
        throw new Exception($"It could not be sealed: {request.GetProperty("statusReason").GetString()}");
    await Task.Delay(TimeSpan.FromSeconds(1));
    request = await http.GetFromJsonAsync<JsonElement>($"/sealing/sealingrequest/{id}");
}

var documents = await http.GetFromJsonAsync<JsonElement>($"/sealing/sealingrequest/{id}/document");
var uri = documents.GetProperty("items")[0].GetProperty("documentURI").GetString();
await File.WriteAllBytesAsync(sealedFile, await http.GetByteArrayAsync($"/storage/document/{uri}"));
Console.WriteLine($"Sealed: {sealedFile}");
