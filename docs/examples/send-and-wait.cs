// Sends a PDF for signature, shows the link, waits until it is signed, and saves the signed file.
// usage: KEY=… dotnet run send-and-wait.cs lease.pdf signed.pdf
using System.Net.Http.Json;
using System.Text.Json;

var file = args.ElementAtOrDefault(0) ?? "lease.pdf";
var signed = args.ElementAtOrDefault(1) ?? "signed.pdf";
var address = Environment.GetEnvironmentVariable("API") ?? "http://127.0.0.1:8080";
using var http = new HttpClient { BaseAddress = new Uri(address) };
http.DefaultRequestHeaders.Add("Ocp-Apim-Subscription-Key", Environment.GetEnvironmentVariable("KEY"));

var creation = new HttpRequestMessage(HttpMethod.Post, "/onestepsigning/signaturerequest")
{
    Content = JsonContent.Create(new
    {
        subject = "Lease for the office",
        status = "Open",
        deliveryMethods = new[] { "Link" },
        signingAuthenticationStrength = "None",
        signatories = new[] { new { firstName = "Ada", lastName = "Lovelace" } },
        documents = new[]
        {
            new { fileName = "lease.pdf", contentBase64 = Convert.ToBase64String(await File.ReadAllBytesAsync(file)) },
        },
    }),
};
// Send it again with the same key after a lost connection: it is still one request.
creation.Headers.Add("Idempotency-Key", Guid.NewGuid().ToString());
var answer = await http.SendAsync(creation);
if (!answer.IsSuccessStatusCode) throw new Exception(await answer.Content.ReadAsStringAsync());
var id = (await answer.Content.ReadFromJsonAsync<JsonElement>()).GetProperty("id").GetString();

Task<JsonElement> Read() => http.GetFromJsonAsync<JsonElement>($"/signing/signaturerequest/{id}");

var request = await Read();
var signatoryId = request.GetProperty("signatories")[0].GetProperty("id").GetString();
var link = await http.GetFromJsonAsync<JsonElement>($"/signing/signaturerequest/{id}/signatory/{signatoryId}/link");
Console.WriteLine($"Request {id}: ask Ada to open {link.GetProperty("url").GetString()}");

while (request.GetProperty("status").GetString() is var status && status != "Closed")
{
    if (status is "Canceled" or "Error")
        throw new Exception($"It was not signed: {request.GetProperty("statusReason").GetString()}");
    await Task.Delay(TimeSpan.FromSeconds(2));
    request = await Read();
}

var uri = request.GetProperty("documents")[0].GetProperty("documentURI").GetString();
await File.WriteAllBytesAsync(signed, await http.GetByteArrayAsync($"/storage/document/{uri}"));
Console.WriteLine($"Signed and sealed: {signed}");
