// Receives webhooks, believes those that are signed, and prints what happened.
// usage: SECRET=whsec_… PORT=9000 dotnet run receive-webhook.cs
using System.Collections.Concurrent;
using System.Net;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;

var secret = Environment.GetEnvironmentVariable("SECRET") ?? throw new Exception("SECRET is missing");
var key = Convert.FromBase64String(secret.Replace("whsec_", ""));
var seen = new ConcurrentDictionary<string, bool>();

bool IsOurs(string? id, string? timestamp, string? signatures, byte[] body)
{
    if (id is null || signatures is null || !long.TryParse(timestamp, out var seconds)) return false;
    if (Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - seconds) > 300) return false;
    var content = Encoding.UTF8.GetBytes($"{id}.{timestamp}.").Concat(body).ToArray();
    var expected = Encoding.ASCII.GetBytes("v1," + Convert.ToBase64String(HMACSHA256.HashData(key, content)));
    return signatures.Split(' ').Any(given =>
        CryptographicOperations.FixedTimeEquals(expected, Encoding.ASCII.GetBytes(given)));
}

using var listener = new HttpListener();
listener.Prefixes.Add($"http://127.0.0.1:{Environment.GetEnvironmentVariable("PORT") ?? "9000"}/");
listener.Start();
Console.WriteLine("Listening");

while (true)
{
    var context = await listener.GetContextAsync();
    var headers = context.Request.Headers;
    using var arrived = new MemoryStream();
    await context.Request.InputStream.CopyToAsync(arrived); // the bytes as they arrived, before any parser
    var body = arrived.ToArray();
    var id = headers["webhook-id"];
    var isOurs = IsOurs(id, headers["webhook-timestamp"], headers["webhook-signature"], body);
    // Answer first and work afterwards: the service waits 15 seconds, and then sends it again.
    context.Response.StatusCode = isOurs ? 204 : 400;
    context.Response.Close();
    if (!isOurs || !seen.TryAdd(id!, true)) continue;
    var message = JsonDocument.Parse(body).RootElement;
    Console.WriteLine($"{message.GetProperty("EventType").GetString()} {message.GetProperty("EventData")}");
}
